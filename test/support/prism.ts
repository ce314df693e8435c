import { relative } from 'node:path';

/** Where `npm run test:prism` gives out proxies; undefined in a run without Prism. */
const { TEST_PRISM_URL: PRISM } = process.env;

async function tell<Answer>(what: object): Promise<Answer> {
  const response = await fetch(PRISM ?? '', { method: 'POST', body: JSON.stringify(what) });
  if (!response.ok) throw new Error(`Prism: ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Prism before one program, where this run of the tests has it. */
export class PrismProxy {
  private constructor(private readonly url: string | null) {}

  static async reserve(): Promise<PrismProxy> {
    if (PRISM === undefined) return new PrismProxy(null);
    const suite = relative(process.cwd(), expect.getState().testPath ?? '');
    return new PrismProxy((await tell<{ url: string }>({ suite })).url);
  }

  /** What the program is configured with, so that its links lead through Prism as well. */
  get variables(): Record<string, string> {
    return this.url === null ? {} : { SERVICE_IDENTITY__PUBLIC_URL: this.url };
  }

  /** Sets the program behind it. @returns where to call the program */
  async before(program: string): Promise<string> {
    if (this.url === null) return program;
    await tell({ proxy: this.url, program });
    return this.url;
  }
}
