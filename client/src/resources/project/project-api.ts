import type { components, paths } from '../../generated/project-api.js';
import type { Api } from '../../http/api.js';

/** The operations of the project profile. */
export type ProjectApi = Api<paths>;

type Schemas = components['schemas'];

export type ProjectUser = Schemas['ProjectUserDto'];
export type ManagedUser = Schemas['ManagedUserDto'];
export type Invited = Schemas['InvitedDto'];
export type Template = Schemas['TemplateDto'];
export type TemplateName = Template['name'];
export type MailSettings = Schemas['MailSettingsFields'];
export type NewMailSettings = Schemas['PutMailSettingsBody'];
export type Project = Schemas['ProjectDto'];
export type ProjectWithServiceKey = Schemas['ProjectWithServiceKeyDto'];
