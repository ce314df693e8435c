import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from './browser.js';
import { PASSWORD, signUp, signUpOwner } from '../../support/client.js';
import type { Client, SignedUp } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { createOperatorAccount, nextCodeOf } from '../../support/operator-account.js';
import type { OperatorAccount, Profile } from '../../support/operator-account.js';
import { profileVariables } from '../../support/profile.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

export type Theme = 'light' | 'dark';

const PHONE_WIDTH = 360;

/** How many animations of the page have an end that is still to come. */
const MOVING = `document.getAnimations().filter((animation) =>
  animation.playState === 'running' && animation.effect?.getComputedTiming().endTime !== Infinity).length`;

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
    private readonly profile: Profile,
  ) {}

  /**
   * @param functions sources of functions, by name
   * @param variables further configuration
   */
  static async start(
    functions: Readonly<Record<string, string>> = {},
    {
      profile = 'organization',
      variables = {},
    }: { profile?: Profile; variables?: Readonly<Record<string, string>> } = {},
  ): Promise<ConsoleProgram> {
    const environment = await createEnvironment();
    for (const [name, source] of Object.entries(functions)) await environment.deploy(name, source);
    const [service, browser] = await Promise.all([
      ServiceProcess.start({
        ...environment.variables,
        ...profileVariables(profile === 'project'),
        ...variables,
      }),
      startBrowser(),
    ]);
    return new ConsoleProgram(environment, service, browser, profile);
  }

  get url(): string {
    return this.service.url ?? '';
  }

  async owner(): Promise<ConsoleOwner> {
    const { client, email, slug } = await signUpOwner(this.url);
    return { client: client.in(slug), email, slug };
  }

  /** A fresh account that accepted an invitation of the owner, and has this role. */
  async member({ client, slug }: ConsoleOwner, role: string): Promise<SignedUp> {
    const member = await signUp(this.url);
    const invited = await client.post<{ link?: string }>(`/auth/v1/orgs/${slug}/invitations`, {
      email: member.email,
      role,
    });
    const token = invited.body.link?.split('token=')[1];
    const { status } = await member.client.post('/auth/v1/invitations/accept', { token });
    if (status !== 200) throw new Error(`accepting an invitation answered ${status}`);
    return member;
  }

  /** An operator, who signs in with their address and the password of the tests. */
  async operator(access: 'full' | 'read_only' = 'full'): Promise<OperatorAccount> {
    return await createOperatorAccount(this.environment.database, this.profile, access);
  }

  /** A browser of its own, whose pages fail the test where they break the policy or throw. */
  async context(theme: Theme = 'light', locale = 'en-US'): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      colorScheme: theme,
      locale,
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
  async signIn(
    person: { readonly email: string } | OperatorAccount,
    path = '',
    context?: BrowserContext,
  ): Promise<Page> {
    const page = await (context ?? (await this.context())).newPage();
    await page.goto(`${this.url}/console${path}`);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    if ('recoveryCodes' in person) {
      await page.getByLabel('Recovery code').fill(nextCodeOf(person));
      await page.getByRole('button', { name: 'Sign in' }).click();
    }
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
    return page;
  }

  /** Opens a project by its service key. */
  async openProject(serviceKey: string, context?: BrowserContext): Promise<Page> {
    const page = await (context ?? (await this.context())).newPage();
    await page.goto(`${this.url}/console`);
    await page.getByText('Service key', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Service key' }).fill(serviceKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/console/p/*');
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
    await this.environment.dispose();
  }
}

/** What axe finds against the page once it has loaded, in a few words each. */
export async function violationsOf(page: Page, part = 'html'): Promise<string[]> {
  // Where it rests, a tooltip may be about to fade in.
  await page.mouse.move(0, 0);
  await settled(page);
  // The console's only frame is a sandbox without scripts, for whose answer axe would wait. What holds is not reported: it would be
  // most of the time for a long page. Only the legacy mode, which leaves frames out, heeds that.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .include(part)
    .exclude('iframe[sandbox=""]')
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Waits until the page shows what it has loaded. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.locator('[aria-busy="true"], .mantine-Skeleton-root').first().waitFor({ state: 'hidden' });
  // What is still fading in has less contrast than it will have.
  await until(async () => (await page.evaluate(MOVING)) === 0);
}

/** Waits until the page, made as narrow as a phone, has nothing that is cut off at the side. */
export async function fitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: PHONE_WIDTH, height: 800 });
  await until(async () => (await page.evaluate('document.documentElement.scrollWidth')) === PHONE_WIDTH);
}
