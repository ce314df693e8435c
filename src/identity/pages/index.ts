export { requireSame, tokenOf } from './form-input.js';
export { html } from './html.js';
export { TokenAndPasswordForm, TokenForm } from './page-form.js';
export { buttonForm, passwordForm } from './page-forms.js';
export { page } from './page-layout.js';
export type { PageAnswer } from './page-layout.js';
export { deadLink, problemOf, refused } from './page-refusals.js';
export { sendPageAnswer, ShowsPage, SubmitsPage } from './page-routes.js';
export { RecoverPage } from './recover-page.js';
