import type { components } from '../../generated/api.js';

type Schemas = components['schemas'];

export type ProjectUser = Schemas['ProjectUserDto'];
export type ManagedSession = Schemas['ManagedSessionDto'];
export type NewManagedUser = Schemas['CreateProjectUserBody'];
export type ManagedUser = Schemas['ManagedUserDto'];
/** The grants of a sign-in, other than a refresh. */
export type SignInBody = Schemas['PasswordGrant' | 'SecondFactorGrant' | 'PasskeyGrant'];
export type SignInSettings = Schemas['SignInSettingsDto'];
export type SignInSettingsChange = Schemas['ChangeSignInSettingsBody'];
export type Invited = Schemas['InvitedDto'];
export type MailSettings = Schemas['MailSettingsFields'];
export type NewMailSettings = Schemas['PutMailSettingsBody'];
export type Project = Schemas['ProjectDto'];
export type ProjectWithServiceKey = Schemas['ProjectWithServiceKeyDto'];
