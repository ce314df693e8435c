import { ChangeQueue } from '../../../src/platform/database/change-queue.js';
import { QueueFullError } from '../../../src/platform/database/index.js';

const nobody = { type: 'operator', id: null };
const user = (id: string): { type: string; id: string } => ({ type: 'user', id });

/** Work that goes on until it is told to end. */
class Held {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  work(name: string): () => Promise<string> {
    return async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.ends.set(name, resolve));
      return name;
    };
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await settled();
  }
}

/** Once everything that can go on without further events has done so. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('changes', () => {
  it('have one change of a caller in the line of a tenant, so that another caller is the next', async () => {
    const [changes, held] = [new ChangeQueue(5), new Held()];
    for (let nth = 1; nth <= 50; nth += 1) void changes.run('org', user('flood'), held.work(`flood ${nth}`));
    void changes.run('org', user('other'), held.work('other'));
    await settled();
    await held.end('flood 1');
    expect(held.begun).toEqual(['flood 1', 'other']);
  });

  it('have a caller in the lines of two tenants at one time, however many it asks for', async () => {
    const [changes, held] = [new ChangeQueue(5), new Held()];
    for (let nth = 1; nth <= 50; nth += 1) void changes.run(`org ${nth}`, user('flood'), held.work(`${nth}`));
    void changes.run('org 50', user('other'), held.work('other'));
    await settled();
    expect(held.begun).toEqual(['1', '2', 'other']);
    await held.end('1');
    expect(held.begun).toEqual(['1', '2', 'other', '3']);
  });

  it('leave one of two places at work to other callers', async () => {
    const [changes, held] = [new ChangeQueue(2), new Held()];
    for (let nth = 1; nth <= 5; nth += 1) void changes.run(`org ${nth}`, user('flood'), held.work(`${nth}`));
    await settled();
    expect(held.begun).toEqual(['1']);
  });

  it('refuse more than a hundred waiting changes of one caller, over all tenants, and no one else’s', async () => {
    const [changes, held] = [new ChangeQueue(5), new Held()];
    for (let nth = 0; nth <= 100; nth += 1)
      void changes.run(`org ${nth}`, user('flood'), held.work(`${nth}`));
    await expect(changes.run('org', user('flood'), held.work('more'))).rejects.toThrow(QueueFullError);
    void changes.run('org', user('other'), held.work('other'));
    void changes.run('org of the operator', nobody, held.work('operator'));
    await settled();
    expect(held.begun).toEqual(['0', '1', 'operator', 'other']);
  });

  it('let users change their own account while what else they asked for waits', async () => {
    const [changes, held] = [new ChangeQueue(5), new Held()];
    for (let nth = 1; nth <= 101; nth += 1)
      void changes.run(`org ${nth}`, user('flood'), held.work(`${nth}`));
    void changes.run('flood', user('flood'), held.work('logout'));
    await settled();
    expect(held.begun).toContain('logout');
  });
});
