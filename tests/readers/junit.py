"""Reads a JUnit report from standard input, and checks it with the schema in the file argv[1] and with junitparser."""

import io
import sys

import junitparser
from lxml import etree

document = sys.stdin.buffer.read()
etree.XMLSchema(etree.parse(sys.argv[1])).assertValid(etree.parse(io.BytesIO(document)))
for suite in junitparser.JUnitXml.fromstring(document):
    cases = list(suite)
    failures = sum(isinstance(result, junitparser.Failure) for case in cases for result in case.result)
    skipped = sum(isinstance(result, junitparser.Skipped) for case in cases for result in case.result)
    assert (suite.tests, suite.failures, suite.skipped) == (len(cases), failures, skipped)
    print(suite.name, len(cases), failures, skipped)
