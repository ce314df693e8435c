const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether somebody typed the id of an account, which names it where its address is not proven. */
export function isAccountId(typed: string): boolean {
  return UUID.test(typed);
}
