import { relative } from 'node:path';

/** Where `npm run test:prism` gives out proxies; undefined in a run without Prism. */
const { TEST_PRISM_URL: PRISM } = process.env;

async function post<Answer>(what: object): Promise<Answer> {
  const response = await fetch(PRISM ?? '', { method: 'POST', body: JSON.stringify(what) });
  if (!response.ok) throw new Error(`Prism: ${await response.text()}`);
  return (await response.json()) as Answer;
}

const reserved = new Map<string, PrismProxy>();

/** Prism before one program, where this run of the tests has it. */
export class PrismProxy {
  private constructor(private readonly url: string | null) {}

  /** @param port that the program is to listen on: that of a proxy, if it starts again where it was called before */
  static async reserve(port?: string): Promise<PrismProxy> {
    if (PRISM === undefined) return new PrismProxy(null);
    const known = reserved.get(port ?? '');
    if (known !== undefined) return known;
    const suite = relative(process.cwd(), expect.getState().testPath ?? '');
    const { url } = await post<{ url: string }>({ suite });
    const proxy = new PrismProxy(url);
    reserved.set(new URL(url).port, proxy);
    return proxy;
  }

  /** Variables of the program with which its links lead through Prism as well, and the proxy keeps its port. */
  configured(variables: Readonly<Record<string, string>>): Record<string, string> {
    if (this.url === null) return { ...variables };
    const isOurs = variables.SERVICE_SERVER__PORT === new URL(this.url).port;
    const port: Record<string, string> = isOurs ? { SERVICE_SERVER__PORT: '0' } : {};
    return { SERVICE_IDENTITY__PUBLIC_URL: this.url, ...variables, ...port };
  }

  /** Sets the program behind it. @returns where to call the program */
  async before(program: string): Promise<string> {
    if (this.url === null) return program;
    await post({ proxy: this.url, program });
    return this.url;
  }
}
