import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { Secret } from '../shapes.js';
import type { Paged, SharedApi } from './apis.js';

const SECRET = '/vault/v1/secrets/{path}';

/** Secrets of jobs, by paths like `github/webhook`. Values can be written but not read. */
export class Vault {
  constructor(private readonly api: SharedApi) {}

  list({ limit, signal }: Paged & CallOptions = {}): List<Secret> {
    return this.api.list('/vault/v1/secrets', { query: { limit }, signal });
  }

  async get(path: string, { signal }: CallOptions = {}): Promise<Secret> {
    return await this.api.get(SECRET, { parameters: { path }, signal });
  }

  async set(path: string, value: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.put(SECRET, { parameters: { path }, body: { value }, signal });
  }

  async delete(path: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.delete(SECRET, { parameters: { path }, signal });
  }
}
