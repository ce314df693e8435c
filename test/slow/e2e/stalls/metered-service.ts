import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { fetch } from '../../../support/fetch.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

const METER = new URL('turn-meter.mjs', import.meta.url);

/** The program with a meter of its event loop in it. */
export class MeteredService {
  private constructor(
    private readonly service: ServiceProcess,
    private readonly meter: string,
  ) {}

  static async start(variables: Readonly<Record<string, string>>): Promise<MeteredService> {
    const file = join(tmpdir(), `turn-meter-${randomUUID()}`);
    const service = await ServiceProcess.start({
      ...variables,
      NODE_OPTIONS: `--import=${METER.href}`,
      TURN_METER_FILE: file,
    });
    const port = readFileSync(file, 'utf8');
    rmSync(file);
    return new MeteredService(service, `http://127.0.0.1:${port}/`);
  }

  get url(): string {
    return this.service.url ?? '';
  }

  /** How long the event loop was held at most while `work` went on, milliseconds of processor time. */
  async longestTurn(work: () => Promise<unknown>): Promise<number> {
    await fetch(this.meter);
    await work();
    return Number(await (await fetch(this.meter)).text());
  }

  /** How long the program parses one mebibyte of JSON at this moment, milliseconds of processor time. */
  async parseTime(): Promise<number> {
    return Number(await (await fetch(`${this.meter}calibration`)).text());
  }

  get logLength(): number {
    return this.service.log.length;
  }

  /** Waits until the program has logged this after so many characters of its log. */
  async loggedSince(length: number, text: RegExp): Promise<void> {
    await until(() => text.test(this.service.log.slice(length)));
  }

  async stop(): Promise<void> {
    await this.service.stop();
  }
}
