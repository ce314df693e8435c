import { MAX_PROBLEMS, ServiceError } from '../errors/service-error.js';
import type { FieldProblem } from '../errors/service-error.js';

/**
 * What is wrong with the fields of a request. Each field is reported once, the first hundred by name, the others as a
 * number.
 */
export class FieldProblems {
  private readonly listed: FieldProblem[] = [];
  private readonly paths = new Set<string>();
  private unlisted = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  get count(): number {
    return this.listed.length + this.unlisted;
  }

  /** Whether a problem was already reported for this path. */
  has(path: string): boolean {
    return this.paths.has(path);
  }

  add(path: string, message: string): void {
    if (this.paths.has(path)) return;
    this.paths.add(path);
    this.list(path, message);
  }

  /** Reports a field that nothing else checks, so that it need not be remembered. */
  addUnknown(path: string): void {
    this.list(path, 'is not a known field');
  }

  /** @throws validation_failed if anything is wrong */
  requireNone(): void {
    if (!this.isEmpty)
      throw new ServiceError('validation_failed', { details: this.listed, unlisted: this.unlisted });
  }

  private list(path: string, message: string): void {
    if (this.listed.length < MAX_PROBLEMS) this.listed.push({ path, message });
    else this.unlisted += 1;
  }
}
