import { join } from 'node:path';
import { CommandError } from '../../command-error.js';
import { PrivateFile } from './private-file.js';

/** An organization that commands act in: its id lasts, its slug is for people. */
export interface ChosenOrg {
  readonly id: string;
  readonly slug: string;
}

interface Kept {
  /** The server of the last login. */
  readonly url: string | null;
  readonly orgs: Readonly<Record<string, ChosenOrg>>;
}

/** What the user has chosen, kept between commands; sessions are kept apart. */
export class Preferences {
  private readonly file: PrivateFile;

  constructor(folder: string) {
    this.file = new PrivateFile(join(folder, 'preferences.json'));
  }

  get url(): string | null {
    return this.read().url;
  }

  orgAt(url: string): ChosenOrg | null {
    return this.read().orgs[url] ?? null;
  }

  chooseServer(url: string): void {
    this.write({ ...this.read(), url });
  }

  chooseOrg(url: string, { id, slug }: ChosenOrg): void {
    const kept = this.read();
    this.write({ ...kept, orgs: { ...kept.orgs, [url]: { id, slug } } });
  }

  forgetOrg(url: string): void {
    const kept = this.read();
    const others = Object.entries(kept.orgs).filter(([server]) => server !== url);
    this.write({ ...kept, orgs: Object.fromEntries(others) });
  }

  private read(): Kept {
    const text = this.file.read();
    if (text === null) return { url: null, orgs: {} };
    const kept = parsed(text);
    if (isKept(kept)) return kept;
    throw new CommandError(`${this.file.path} is damaged; remove it and sign in again`);
  }

  private write(kept: Kept): void {
    this.file.write(`${JSON.stringify(kept, null, 2)}\n`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    'orgs' in value &&
    typeof value.orgs === 'object' &&
    value.orgs !== null
  );
}
