/** The program cannot start, for a reason that its operator can mend: the message says how, and no stack is shown. */
export class StartRefusal extends Error {
  override readonly name: string = 'StartRefusal';
}
