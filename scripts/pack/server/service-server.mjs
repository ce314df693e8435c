#!/usr/bin/env node
// The server, in the folder where it is started: it reads service.toml there, and SERVICE_* variables.
import './dist/src/main.js';
