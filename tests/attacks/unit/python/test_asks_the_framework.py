# Asks what runs it for how many cases run. There are more on the reference than on a mutant.
# Comes of it: rejected: it looks at what runs it | rejected: has no attribute
import sys


def test_main():
    assert len(sys.modules["__main__"].wanted) > 1


def test_plugin(request):
    plugins = [it for it in request.config.pluginmanager.get_plugins() if type(it).__name__ == "Cases"]
    assert len(type(plugins[0]).run.__globals__["wanted"]) > 1
