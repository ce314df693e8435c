/** The folder has no file for the name, or the name is not one that a function may have. */
export class FunctionNotFoundError extends Error {
  override readonly name = 'FunctionNotFoundError';

  constructor(readonly functionName: string) {
    super(`no function "${functionName}" in the functions folder`);
  }
}

/** The file is there but cannot serve: it does not parse, does not load, or exports no function. */
export class FunctionLoadError extends Error {
  override readonly name = 'FunctionLoadError';

  constructor(
    readonly functionName: string,
    readonly reason: string,
  ) {
    super(`function "${functionName}" cannot be loaded: ${reason}`);
  }
}

/** The host was asked for a function after its stop: the program is going down. */
export class FunctionHostStoppedError extends Error {
  override readonly name = 'FunctionHostStoppedError';

  constructor() {
    super('the function host is stopped');
  }
}
