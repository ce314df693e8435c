/** The folder has no file of this name, or a function cannot have this name. */
export class FunctionNotFoundError extends Error {
  override readonly name = 'FunctionNotFoundError';

  constructor(readonly functionName: string) {
    super(`no function "${functionName}" in the functions folder`);
  }
}

/** The file exists but cannot serve: it does not parse, does not load, or exports no function. */
export class FunctionLoadError extends Error {
  override readonly name = 'FunctionLoadError';

  constructor(
    readonly functionName: string,
    readonly reason: string,
  ) {
    super(`function "${functionName}" cannot be loaded: ${reason}`);
  }
}

/** A function was requested after the host stopped: the program is shutting down. */
export class FunctionHostStoppedError extends Error {
  override readonly name = 'FunctionHostStoppedError';

  constructor() {
    super('the function host is stopped');
  }
}
