import type { ConsoleOptionsDto, ConsoleProjectSessionDto } from './dto.js';

/** What the active profile decides about the console. */
export abstract class ConsoleProfile {
  abstract readonly name: ConsoleOptionsDto['profile'];

  /** Whether people who are not operators sign in to the console with an account. */
  abstract readonly hasMembers: boolean;

  /**
   * The project whose service key is in the cookie.
   * @throws invalid_api_key if the cookie has none, or the key was replaced
   */
  abstract openProject(sealedKey: string): Promise<ConsoleProjectSessionDto>;
}
