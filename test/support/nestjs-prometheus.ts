import * as common from '@nestjs/common';
import * as promClient from 'prom-client';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/*
 * The real @willsoto/nestjs-prometheus, for Jest only. The package is CommonJS and requires @nestjs/common,
 * which is an ES module: Node does that, Jest only on Node 24.9 and later. Here its own files are evaluated
 * with a `require` that hands out the modules which are imported above.
 */
const PACKAGE = new URL('../../node_modules/@willsoto/nestjs-prometheus/dist/', import.meta.url);
const IMPORTED: Readonly<Record<string, unknown>> = { '@nestjs/common': common, 'prom-client': promClient };

type Exports = Record<string, unknown>;
type Evaluate = (require: (name: string) => unknown, exports: Exports) => void;

const loaded = new Map<string, Exports>();

function sourceOf(path: string): { path: string; source: string } {
  for (const candidate of [`${path}.js`, `${path}/index.js`]) {
    try {
      return { path: candidate, source: readFileSync(new URL(candidate, PACKAGE), 'utf8') };
    } catch {
      // A folder then.
    }
  }
  throw new Error(`@willsoto/nestjs-prometheus has no ${path}`);
}

function load(request: string): Exports {
  const { path, source } = sourceOf(request);
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const exports: Exports = {};
  loaded.set(path, exports);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the package's own code, in the test's realm
  const evaluate = new Function('require', 'exports', source) as Evaluate;
  evaluate(
    (name) => (name.startsWith('.') ? load(posix.join(posix.dirname(path), name)) : IMPORTED[name]),
    exports,
  );
  return exports;
}

const library = load('index') as unknown as typeof import('@willsoto/nestjs-prometheus');

export const {
  InjectMetric,
  makeCounterProvider,
  makeGaugeProvider,
  makeHistogramProvider,
  makeSummaryProvider,
  PrometheusController,
  PrometheusModule,
} = library;
