import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from './browser.js';
import { PASSWORD, signUpOwner } from './client.js';
import type { Client } from './client.js';
import { createEnvironment } from './environment.js';
import type { TestEnvironment } from './environment.js';
import { ServiceProcess } from './service-process.js';

export type Theme = 'light' | 'dark';

/** The owner of an organization, as a program and as a person. */
export interface ConsoleOwner {
  readonly client: Client;
  readonly email: string;
  readonly slug: string;
}

/** A program with its console, and a browser. */
export class ConsoleProgram {
  private constructor(
    readonly environment: TestEnvironment,
    readonly service: ServiceProcess,
    readonly browser: Browser,
  ) {}

  /** @param functions sources of functions, by name */
  static async start(functions: Readonly<Record<string, string>> = {}): Promise<ConsoleProgram> {
    const environment = await createEnvironment();
    for (const [name, source] of Object.entries(functions)) await environment.deploy(name, source);
    const [service, browser] = await Promise.all([
      ServiceProcess.start(environment.variables),
      startBrowser(),
    ]);
    return new ConsoleProgram(environment, service, browser);
  }

  get url(): string {
    return this.service.url ?? '';
  }

  async owner(): Promise<ConsoleOwner> {
    const { client, email, slug } = await signUpOwner(this.url);
    return { client: client.in(slug), email, slug };
  }

  /** A browser of its own, whose pages fail the test where they break the policy or throw. */
  async context(theme: Theme = 'light'): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      colorScheme: theme,
      locale: 'en-US',
      viewport: { width: 1440, height: 900 },
    });
    context.on('weberror', (error) => this.problems.push(error.error().message));
    context.on('console', (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) this.problems.push(message.text());
    });
    return context;
  }

  /** What pages did against the policy, and what they threw. */
  readonly problems: string[] = [];

  /** Signs in on the page at `path`, which is shown afterwards. */
  async signIn({ email }: { email: string }, path = '', context?: BrowserContext): Promise<Page> {
    const page = await (context ?? (await this.context())).newPage();
    await page.goto(`${this.url}/console${path}`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
    await this.environment.dispose();
  }
}

/** What axe finds against the page, in a few words each. */
export async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Waits until the page shows what it has loaded. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.locator('[aria-busy="true"], .mantine-Skeleton-root').first().waitFor({ state: 'hidden' });
}
