import type { components } from '../../generated/api.js';

type Schemas = components['schemas'];

export type ProjectUser = Schemas['ProjectUserDto'];
export type ManagedSession = Schemas['ManagedSessionDto'];
export type NewManagedUser = Schemas['CreateProjectUserBody'];
export type ManagedUser = Schemas['ManagedUserDto'];
export type Invited = Schemas['InvitedDto'];
export type Template = Schemas['TemplateDto'];
export type TemplateName = Template['name'];
export type MailSettings = Schemas['MailSettingsFields'];
export type NewMailSettings = Schemas['PutMailSettingsBody'];
export type Project = Schemas['ProjectDto'];
export type ProjectWithServiceKey = Schemas['ProjectWithServiceKeyDto'];
