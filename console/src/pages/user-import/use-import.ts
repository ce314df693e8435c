import type { ImportProblem, ImportProgress } from '@service/client';
import { useEffect, useRef, useState } from 'react';
import type { Accounts } from '../users/accounts.js';
import { piecesOf } from './source.js';

/** Of the list on the page; the report has all of them. */
const MOST_SHOWN = 100;

const NOTHING: ImportProgress = { nextLine: 1, created: 0, skipped: 0, refused: 0 };

export interface ImportState {
  readonly phase: 'idle' | 'running' | 'stopped' | 'done';
  readonly progress: ImportProgress;
  /** Of the file that was read, percent. */
  readonly part: number;
  /** The first ones of those that have to be corrected. */
  readonly problems: readonly ImportProblem[];
  /** Why it ended early, unless it was stopped. */
  readonly error: unknown;
}

const IDLE: ImportState = { phase: 'idle', progress: NOTHING, part: 0, problems: [], error: null };

export interface Import extends ImportState {
  /** Begins, or goes on where it ended. */
  readonly run: (file: File) => void;
  readonly stop: () => void;
  readonly reset: () => void;
  /** Each line that became no account, as lines of JSON. */
  readonly report: () => string;
}

function sum(before: ImportProgress, since: ImportProgress): ImportProgress {
  return {
    nextLine: since.nextLine,
    created: before.created + since.created,
    skipped: before.skipped + since.skipped,
    refused: before.refused + since.refused,
  };
}

export function useImport({ client }: Accounts): Import {
  const [state, setState] = useState(IDLE);
  const problems = useRef<ImportProblem[]>([]);
  const controller = useRef<AbortController | null>(null);
  // Who leaves the page stops the import; it can be repeated.
  useEffect(() => () => controller.current?.abort(), []);

  const run = (file: File): void => {
    const before = state.progress;
    const abort = new AbortController();
    controller.current = abort;
    let read = 0;
    setState((now) => ({ ...now, phase: 'running', error: null }));
    const source = piecesOf(file, (bytes) => {
      read = bytes;
    });
    const work = client.import(source, {
      from: before.nextLine,
      signal: abort.signal,
      onProblem: (problem) => problems.current.push(problem),
      onProgress: (progress) => {
        const part = file.size === 0 ? 100 : Math.floor((100 * read) / file.size);
        const wrong = problems.current.filter(({ code }) => code !== 'exists').slice(0, MOST_SHOWN);
        setState((now) => ({ ...now, progress: sum(before, progress), part, problems: wrong }));
      },
    });
    work.then(
      () => {
        setState((now) => ({ ...now, phase: 'done', part: 100 }));
      },
      (error: unknown) => {
        setState((now) => ({ ...now, phase: 'stopped', error: abort.signal.aborted ? null : error }));
      },
    );
  };
  return {
    ...state,
    run,
    stop: () => controller.current?.abort(),
    reset: () => {
      problems.current = [];
      setState(IDLE);
    },
    report: () => problems.current.map((problem) => `${JSON.stringify(problem)}\n`).join(''),
  };
}
