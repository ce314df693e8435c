import type { components } from '../generated/api.js';
import type { CallOptions } from '../http/call.js';
import type { OrganizationApi, ProjectApi } from './apis.js';

type Schemas = components['schemas'];

export type Template = Schemas['TemplateDto'];
export type TemplateListing = Schemas['TemplateListingDto'];
export type TemplateParts = Pick<Template, 'subject' | 'html' | 'text'>;
export type MailPreview = Schemas['PreviewDto'];
export type Brand = Schemas['BrandDto'];
export type BrandChange = Schemas['BrandBody'];

/** The languages of mails and pages. */
export type MailLanguage = MailPreview['locale'];

/** The template of one language or, without one, that for all languages that have none of their own. */
export interface OfLanguage extends CallOptions {
  readonly locale?: MailLanguage | undefined;
}

/** What to show: a complete template, or else the one in use. */
export interface PreviewOptions extends Partial<TemplateParts>, OfLanguage {
  readonly brand?: BrandChange | undefined;
}

/** The texts of mails. */
export interface MailTemplates {
  list(options?: CallOptions): Promise<TemplateListing[]>;
  get(name: string, options?: OfLanguage): Promise<Template>;
  /** Replaces a template; `list` shows the variables. */
  set(name: string, parts: TemplateParts, options?: OfLanguage): Promise<Template>;
  /** Restores the built-in template. */
  reset(name: string, options?: OfLanguage): Promise<void>;
  /** Renders a mail with sample values. Nothing is sent. */
  preview(name: string, options?: PreviewOptions): Promise<MailPreview>;
}

/** The texts of the deployment's mails. */
export class AdminTemplates implements MailTemplates {
  constructor(private readonly api: OrganizationApi) {}

  async list({ signal }: CallOptions = {}): Promise<TemplateListing[]> {
    return await this.api.get('/admin/v1/templates', { as: 'operator', signal });
  }

  async get(name: string, { locale, signal }: OfLanguage = {}): Promise<Template> {
    const request = { parameters: { name }, query: { locale }, as: 'operator', signal } as const;
    return await this.api.get('/admin/v1/templates/{name}', request);
  }

  async set(
    name: string,
    { subject, html, text }: TemplateParts,
    { locale, signal }: OfLanguage = {},
  ): Promise<Template> {
    const request = { parameters: { name }, query: { locale }, as: 'operator', signal } as const;
    return await this.api.put('/admin/v1/templates/{name}', { ...request, body: { subject, html, text } });
  }

  async reset(name: string, { locale, signal }: OfLanguage = {}): Promise<void> {
    const request = { parameters: { name }, query: { locale }, as: 'operator', signal } as const;
    await this.api.delete('/admin/v1/templates/{name}', request);
  }

  async preview(name: string, { signal, ...body }: PreviewOptions = {}): Promise<MailPreview> {
    const request = { parameters: { name }, body, as: 'operator', signal } as const;
    return await this.api.post('/admin/v1/templates/{name}/preview', request);
  }
}

/** The texts of the project's mails. Needs the service key. */
export class Templates implements MailTemplates {
  constructor(private readonly api: ProjectApi) {}

  async list({ signal }: CallOptions = {}): Promise<TemplateListing[]> {
    return await this.api.get('/auth/v1/templates', { signal });
  }

  async get(name: string, { locale, signal }: OfLanguage = {}): Promise<Template> {
    const request = { parameters: { name }, query: { locale }, signal } as const;
    return await this.api.get('/auth/v1/templates/{name}', request);
  }

  async set(
    name: string,
    { subject, html, text }: TemplateParts,
    { locale, signal }: OfLanguage = {},
  ): Promise<Template> {
    const request = { parameters: { name }, query: { locale }, signal } as const;
    return await this.api.put('/auth/v1/templates/{name}', { ...request, body: { subject, html, text } });
  }

  async reset(name: string, { locale, signal }: OfLanguage = {}): Promise<void> {
    await this.api.delete('/auth/v1/templates/{name}', { parameters: { name }, query: { locale }, signal });
  }

  async preview(name: string, { signal, ...body }: PreviewOptions = {}): Promise<MailPreview> {
    return await this.api.post('/auth/v1/templates/{name}/preview', { parameters: { name }, body, signal });
  }
}

/** The appearance of the project's mails and pages. Needs the service key. */
export class ProjectBrand {
  constructor(private readonly api: ProjectApi) {}

  async get({ signal }: CallOptions = {}): Promise<Brand> {
    return await this.api.get('/auth/v1/brand', { signal });
  }

  /** Replaces the whole appearance. */
  async set(brand: BrandChange, { signal }: CallOptions = {}): Promise<Brand> {
    return await this.api.put('/auth/v1/brand', { body: { ...brand }, signal });
  }
}

/** The appearance of the deployment's mails and pages, from its settings. */
export class AdminBrand {
  constructor(private readonly api: OrganizationApi) {}

  async get({ signal }: CallOptions = {}): Promise<Brand> {
    return await this.api.get('/admin/v1/brand', { as: 'operator', signal });
  }

  /** Sends a test mail now. @throws ServiceError 502 with what the mail server said */
  async testMail(to: string, { signal }: CallOptions = {}): Promise<void> {
    await this.api.post('/admin/v1/mail/test', { body: { to }, as: 'operator', signal });
  }
}
