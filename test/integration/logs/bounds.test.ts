import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { LogWriter } from '../../../src/jobs/logs/index.js';
import { LogEvent } from '../../../src/jobs/logs/log-stream.js';
import { LogStream } from '../../../src/jobs/logs/log-stream.js';
import type { TenantId } from '../../../src/http/index.js';
import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

/** How long after the end of a run its last lines may still arrive. */
const LAST_LINES_MS = 1_000;

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
      req: { socket: { destroyed: false } },
    } as unknown as ServerResponse;
    const filter = { runId: 'r', jobId: null, level: 'debug', since: null } as const;
    const stream = new LogStream(response, 'tenant' as TenantId, filter, 0n, LAST_LINES_MS);
    // The first is what its last line says in the history.
    for (const ms of endedForMs) stream.runHasEnded(ms);
    stream.markCaughtUp();
    stream.endIfDelivered(performance.now() - 1);
    expect(stream.isClosed).toBe(false);
    stream.endIfDelivered(performance.now() + afterMs);
    expect(stream.isClosed).toBe(true);
  });

  describe('a stream whose reader never reads', () => {
    const tenantId = 'tenant' as TenantId;
    const filter = { runId: null, jobId: null, level: 'debug', since: null } as const;
    const server = createServer();
    const readers: Socket[] = [];

    beforeAll(async () => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });

    afterAll(() => {
      for (const reader of readers) reader.destroy();
      server.close();
    });

    const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

    /** Streams of one connection that was sent as many requests, and whose other side reads nothing. */
    async function streamsOf(requests: number): Promise<{ reader: Socket; streams: LogStream[] }> {
      const responses: ServerResponse[] = [];
      server.removeAllListeners('request');
      server.on('request', (_request, response) => responses.push(response));
      const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
      readers.push(reader);
      reader.pause();
      reader.write(REQUEST.repeat(requests));
      await until(() => responses.length === requests);
      const streams = responses.map(
        (response) => new LogStream(response, tenantId, filter, 0n, LAST_LINES_MS),
      );
      return { reader, streams };
    }

    const EVENTS = Array.from(
      { length: 2000 },
      (_, n) =>
        new LogEvent({
          tenantId,
          runId: 'r',
          jobId: 'j',
          attempt: 1,
          level: 'info',
          endsRun: false,
          id: String(n + 1),
          at: new Date(),
          message: 'x'.repeat(8000),
        }),
    );

    /** Tells lines until nobody takes more for the reader. */
    async function fill(stream: LogStream): Promise<void> {
      stream.markCaughtUp();
      await until(() => !stream.sendLines(EVENTS));
    }

    const unreadOf = (stream: LogStream): number =>
      (stream as unknown as { response: ServerResponse }).response.writableLength;

    it('keeps no more than 64 KiB and one line in memory', async () => {
      const { streams } = await streamsOf(1);
      const [stream] = streams as [LogStream];
      await fill(stream);
      expect(unreadOf(stream)).toBeGreaterThan(64 * 1024);
      expect(unreadOf(stream)).toBeLessThan(64 * 1024 + 10_000);
      const before = unreadOf(stream);
      for (let beats = 0; beats < 100; beats += 1) stream.beat();
      expect(unreadOf(stream)).toBe(before);
    });

    it('is dropped after its time limit, also if its end was already written', async () => {
      for (const ends of [false, true]) {
        const { streams } = await streamsOf(1);
        const [stream] = streams as [LogStream];
        await fill(stream);
        if (ends) stream.close('end');
        stream.dropIfUnread(60_000);
        expect(stream.isGone).toBe(false);
        stream.dropIfUnread(0);
        expect(stream.isGone).toBe(true);
      }
    });

    it('ends with its connection, and so do the streams that wait on the same connection', async () => {
      const { reader, streams } = await streamsOf(3);
      for (const stream of streams) stream.begin();
      expect(streams.map(({ isGone }) => isGone)).toEqual([false, false, false]);
      reader.destroy();
      await until(() => streams.every(({ isGone }) => isGone));
    });
  });

  it('a run keeps 10,000 lines and a line that says there were more', async () => {
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
