import { OpenLine } from '../../../src/jobs/invoker/function-host/runner/captured-output.js';

describe('the lines of a standard stream', () => {
  /** Keeps as many lines as it has room for, and counts the rest. */
  class Sink {
    readonly kept: string[] = [];
    dropped = 0;
    questions = 0;

    constructor(private readonly room = Infinity) {}

    canKeep(): boolean {
      this.questions += 1;
      return this.kept.length < this.room;
    }

    keep(line: string): void {
      this.kept.push(line);
    }

    drop(count: number): void {
      this.dropped += count;
    }
  }

  it('are joined from pieces, and the last one ends with the stream', () => {
    const sink = new Sink();
    const open = new OpenLine(sink);
    const [first = 0, second = 0] = Buffer.from('ü');
    open.add('a');
    open.add(Uint8Array.of(first));
    open.add(Uint8Array.of(second));
    open.add('\n\nb');
    expect(sink.kept).toEqual(['aü', '']);
    open.end();
    open.end();
    expect(sink.kept).toEqual(['aü', '', 'b']);
  });

  it('are counted at once from the first one that is not kept to the end of the piece', () => {
    const sink = new Sink(3);
    const open = new OpenLine(sink);
    open.add(`${'x\n'.repeat(100_000)}rest`);
    expect(sink).toMatchObject({ kept: ['x', 'x', 'x'], dropped: 99_997, questions: 4 });
    open.end();
    expect(sink.kept.at(-1)).toBe('rest');
  });

  it('are cut where a line grows without an end', () => {
    const sink = new Sink();
    const open = new OpenLine(sink);
    open.add('x'.repeat(20_000));
    expect(sink.kept).toEqual(['x'.repeat(20_000)]);
  });
});
