/** What can keep a line from becoming an account, with what to do. The documentation is made from this list. */
export const IMPORT_PROBLEMS = {
  exists: 'The address has an account already, which stays as it is. Nothing to do.',
  invitation_pending:
    'Wait until the invitation is accepted, or delete the invited user, which ends it, and import the line again.',
  invalid_line: 'Write the line as one JSON object in UTF-8.',
  invalid_field: 'Correct the field.',
  unsupported_hash:
    'Write the hash as a PHC string or in the modular form of Argon2, bcrypt, scrypt or PBKDF2, or leave it out: the user then sets a password by recovery.',
  hash_too_costly: 'Leave the hash out: the user then sets a password by recovery.',
  unknown_organization: 'Create the organization first, or correct the slug.',
  unknown_role: 'Create the role in the organization first, or correct its name.',
  unknown_project: 'Create the project first, or correct its ref.',
  limit_reached: 'Raise the limit that the message names, or leave the organization out.',
} as const satisfies Record<string, string>;

export type ImportProblemCode = keyof typeof IMPORT_PROBLEMS;

/** Why a line became no account. */
export interface ImportProblem {
  readonly code: ImportProblemCode;
  readonly message: string;
}

/** A problem and where it is. */
export interface LineProblem extends ImportProblem {
  readonly line: number;
  /** The address, where the line has one. */
  readonly email: string | null;
}

/** What became of some lines. */
export interface ImportReport {
  readonly created: number;
  /** Of all lines that became no account, in the order of the lines. */
  readonly problems: readonly LineProblem[];
}
