import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import type { Manifest } from '../../support/manifests.js';

export const CHART = fileURLToPath(new URL('../../../deploy/helm/service/', import.meta.url));
const KUSTOMIZATIONS = fileURLToPath(new URL('../../../deploy/kubernetes/', import.meta.url));

/** What Helm prints and how it ends; `settings` are the arguments of `--set`. */
export function helm(
  args: readonly string[],
  settings: readonly string[] = [],
): { status: number | null; output: string } {
  const set = settings.flatMap((setting) => ['--set-json', setting]);
  const { status, stdout, stderr, error } = spawnSync('helm', [...args, ...set], { encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { status, output: stdout + stderr };
}

/** The objects that a release `service` of the chart is made of, its hooks included. */
export function renderedChart(...settings: readonly string[]): Manifest[] {
  const { status, output } = helm(['template', 'service', CHART], settings);
  if (status !== 0) throw new Error(output);
  return objectsIn(output);
}

/** What kubectl makes of a folder of deploy/kubernetes/. */
export function builtKustomization(folder: 'base' | 'autoscaling'): Manifest[] {
  return objectsIn(
    execFileSync('kubectl', ['kustomize', `${KUSTOMIZATIONS}${folder}`], { encoding: 'utf8' }),
  );
}

export function chartValues(): unknown {
  return parse(readFileSync(`${CHART}values.yaml`, 'utf8'));
}

export function valuesSchema(): Record<string, unknown> {
  return JSON.parse(readFileSync(`${CHART}values.schema.json`, 'utf8')) as Record<string, unknown>;
}

function objectsIn(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => {
      const [error] = document.errors;
      if (error) throw error;
      return document.toJS() as Manifest | null;
    })
    .filter((object) => object !== null);
}
