# Runs program.py over Pulumi's Automation API, which needs no language host, and prints the number of changed resources.
import json, runpy, sys
from pulumi import automation

stack = automation.create_or_select_stack("dev", "sdks", lambda: runpy.run_path("program.py") and None)
stack.set_config("voiceplane:organization", automation.ConfigValue("acme"))
result = getattr(stack, sys.argv[1])()
print(json.dumps(result.summary.resource_changes))
