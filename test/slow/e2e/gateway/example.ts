import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const EXAMPLE = new URL('../../../../examples/gateway/', import.meta.url);

/** Where the programs listen on loopback. */
export interface Ports {
  readonly service: number;
  readonly application: number;
  readonly gateway: number;
}

/** The ports that the examples have, and that their reader changes as the test does. */
const WRITTEN: Ports = { service: 8080, application: 9000, gateway: 8000 };

/** A gateway that stands before an application and asks Service about each request. */
export interface Gateway {
  readonly url: string;
  /** What it wrote to its error log. */
  readonly log: string;
  stop: () => Promise<void>;
}

/** A file of the example as it is in the repository, apart from these ports. */
export async function readExample(name: string, ports: Partial<Ports> = {}): Promise<string> {
  let text = await readFile(fileURLToPath(new URL(name, EXAMPLE)), 'utf8');
  for (const [of, port] of Object.entries(ports)) {
    const written = new RegExp(`\\b${WRITTEN[of as keyof Ports]}\\b`, 'g');
    if (!written.test(text)) throw new Error(`${name} has no port of the ${of}`);
    text = text.replace(written, String(port));
  }
  return text;
}
