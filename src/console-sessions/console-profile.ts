import type { ConsoleOptionsDto, ConsoleProjectSessionDto } from './dto.js';

/** What the active profile decides of the console. */
export abstract class ConsoleProfile {
  abstract readonly name: ConsoleOptionsDto['profile'];

  /** Whether people who operate nothing sign in to the console by an account. */
  abstract readonly hasMembers: boolean;

  /**
   * The project whose service key the cookie holds.
   * @throws invalid_api_key when it holds none, or the key was replaced
   */
  abstract openProject(sealedKey: string): Promise<ConsoleProjectSessionDto>;
}
