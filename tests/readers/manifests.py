"""Checks the manifests of Kubernetes in the files argv[1:] and prints what violates the schemas of Kubernetes and of KEDA."""

import sys

import kubernetes_validate
import yaml
from cloudcoil.models.keda import v1alpha1
from pydantic import ValidationError


def unknown(document, model, path):
    """The fields that the model does not know, which it would leave out without a word."""
    if isinstance(document, dict) and isinstance(model, dict):
        for key, value in document.items():
            if key in model:
                yield from unknown(value, model[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}: is unknown"
    elif isinstance(document, list) and isinstance(model, list):
        for at, (value, known) in enumerate(zip(document, model)):
            yield from unknown(value, known, f"{path}[{at}]")


def keda(document):
    try:
        model = getattr(v1alpha1, document["kind"]).model_validate(document)
    except ValidationError as error:
        return [f"{'.'.join(map(str, it['loc']))}: {it['msg']}" for it in error.errors()]
    return list(unknown(document, model.model_dump(mode="json", by_alias=True), "$"))


def kubernetes(document):
    try:
        kubernetes_validate.validate(document, "1.37", strict=True)
    except kubernetes_validate.ValidationError as error:
        return [error.message]
    return []


broken = 0
for name in sys.argv[1:]:
    with open(name) as file:
        documents = list(yaml.safe_load_all(file))
    for document in documents:
        check = keda if document["apiVersion"].startswith("keda.sh/") else kubernetes
        problems = check(document)
        if document["kind"] == "ScaledJob":
            # The template of a job is in the schema of Kubernetes, which is stricter.
            job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "job"}}
            problems += kubernetes(job | {"spec": document["spec"]["jobTargetRef"]})
        for problem in problems:
            print(f"{name}: {document['kind']}: {problem}")
            broken += 1
sys.exit(bool(broken))
