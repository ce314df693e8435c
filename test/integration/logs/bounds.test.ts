import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { LogWriter } from '../../../src/jobs/logs/index.js';
import { storableLine } from '../../../src/jobs/logs/log-line.js';
import { LogStream } from '../../../src/jobs/logs/log-stream.js';
import type { TenantId } from '../../../src/platform/http/index.js';
import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

describe('bounds of logs', () => {
  it.each([
    ['at once when that was long ago', [0, 60_000], 0],
    ['a second later when that is to come by the clock', [-3_600_000], 1001],
  ])('a stream ends with its run: %s', (_, endedForMs, afterMs) => {
    const nothing = (): undefined => undefined;
    const response = {
      on: nothing,
      write: nothing,
      end: nothing,
      destroyed: false,
    } as unknown as ServerResponse;
    const filter = { runId: 'r', jobId: null, level: 'debug', since: null } as const;
    const stream = new LogStream(response, 'tenant' as TenantId, filter, 0n);
    // The first is what its last line says in the history.
    for (const ms of endedForMs) stream.runHasEnded(ms);
    stream.caughtUp();
    stream.endIfTold(performance.now() - 1);
    expect(stream.isClosed).toBe(false);
    stream.endIfTold(performance.now() + afterMs);
    expect(stream.isClosed).toBe(true);
  });

  it('a stream whose reader never reads holds about a mebibyte, hinders no other, and is dropped', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const arrived = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
    reader.pause();
    reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const [, response] = await arrived;
    const filter = { runId: null, jobId: null, level: 'debug', since: null } as const;
    const tenantId = 'tenant' as TenantId;
    const stream = new LogStream(response, tenantId, filter, 0n);
    stream.caughtUp();
    const line = {
      tenantId,
      runId: 'r',
      jobId: 'j',
      attempt: 1,
      level: 'info',
      endsRun: false,
    } as const;
    const lines = Array.from({ length: 2000 }, (_, n) => ({
      ...line,
      id: String(n + 1),
      at: new Date(),
      message: 'x'.repeat(8000),
    }));
    const held: number[] = [];
    // What the system takes for the reader is limited too.
    for (let mebibytes = 0; mebibytes < 16 && !stream.isClosed; mebibytes += 1) {
      if (!stream.tell(lines)) held.push(response.writableLength);
      await stream.room(200);
    }
    expect(Math.max(...held)).toBeGreaterThan(1024 * 1024);
    expect(Math.max(...held)).toBeLessThan(1024 * 1024 + 10_000);
    expect(response.destroyed).toBe(true);
    expect(stream.hear(lines)).toBe(true);
    reader.destroy();
    server.close();
  });

  it('a line is cut at 8 KiB, within no character, and holds nothing that cannot be stored', () => {
    const cut = storableLine('ä'.repeat(10_000));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(8192);
    expect(cut).toMatch(/^ä+ … \(cut\)$/);
    expect(storableLine('a\0b\ud800')).toBe('ab\ufffd');
  });

  it('a run keeps 10,000 lines, and a line that says there were more', async () => {
    const environment = await createEnvironment();
    await environment.deploy('talk', 'export default () => Response.json({})');
    const service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    try {
      const { client } = await signUpOwner(service.url);
      await registerJobs(client, { talk: {} });
      const { id } = await trigger(client, 'talk');
      const writer = service.application.get(LogWriter);
      for (let line = 1; line <= 12_000; line += 1)
        writer.write({ runId: id, attempt: 1, level: 'info', message: `line ${line}`, at: Date.now() });
      await writer.flush();
      await until(async () => {
        const lines = await environment.database.query<{ message: string }>(
          'SELECT message FROM run_logs WHERE run_id = $1 AND attempt = 1 ORDER BY id',
          [id],
        );
        return lines.length === 10_001 && lines.at(-1)?.message.startsWith('more than 10000 lines') === true;
      });
    } finally {
      await service.stop();
      await environment.dispose();
    }
  });
});
