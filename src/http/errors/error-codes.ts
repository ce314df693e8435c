/**
 * Every error code that the program can answer, with its status and meaning. The OpenAPI document and `docs/errors.md`
 * are generated from this list. Once released, a code keeps its name and its status.
 */
export const ERROR_CODES = {
  // The request itself
  bad_request: { status: 400, meaning: 'The request is not well-formed HTTP.' },
  invalid_json: {
    status: 400,
    meaning:
      'The body is not valid JSON, has a name twice in an object or `__proto__` as a name outside of JSON that is kept as written, or is nested deeper than 100 levels.',
  },
  validation_failed: {
    status: 400,
    meaning: 'Fields are missing, unknown or invalid; details lists each with its path.',
  },
  repeated_header: {
    status: 400,
    meaning: 'A header that may have one value only was sent more than once.',
  },
  not_found: { status: 404, meaning: 'There is nothing at this path.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method; see the Allow header.',
  },
  request_timeout: { status: 408, meaning: 'The request did not arrive in time.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than this endpoint takes.' },
  uri_too_long: { status: 414, meaning: 'A part of the path is longer than any name can be.' },
  misdirected_request: {
    status: 421,
    meaning: 'The Host header names a host that this service does not serve (server.allowed_hosts).',
  },
  rate_limited: {
    status: 429,
    meaning:
      'Too many requests of this kind; try again after Retry-After seconds. The hint names the setting.',
  },
  unsupported_media_type: {
    status: 415,
    meaning:
      'The endpoint takes no body of this type. It is JSON (Content-Type: application/json) unless the endpoint says otherwise.',
  },
  headers_too_large: { status: 431, meaning: 'The request headers are too large.' },
  internal_error: {
    status: 500,
    meaning: 'Something failed on our side; the request id finds it in the log.',
  },
  unavailable: {
    status: 503,
    meaning:
      'The database did not answer or refused to work, or this instance is shutting down; try again after Retry-After seconds.',
  },
  overloaded: {
    status: 503,
    meaning:
      'Too many passwords wait to be checked, too many changes of one organization, project or caller wait, or too many follow logs; try again after Retry-After seconds.',
  },

  // Who is calling
  unauthenticated: { status: 401, meaning: 'The request carries no credentials.' },
  invalid_access_token: {
    status: 401,
    meaning:
      'The access token is malformed, expired, or not issued for this service, its account is disabled, or its attempt has ended.',
  },
  invalid_api_key: { status: 401, meaning: 'The API key is malformed, unknown, expired or revoked.' },
  invalid_admin_token: {
    status: 401,
    meaning: 'The operator token is missing or wrong, or the access token is not that of an operator.',
  },
  invalid_credentials: {
    status: 401,
    meaning: 'The e-mail address or the password is wrong, or the account is disabled.',
  },
  invalid_refresh_token: { status: 401, meaning: 'The refresh token is unknown or expired; sign in again.' },
  refresh_token_reused: {
    status: 401,
    meaning: 'The refresh token was used before; its session is revoked. Sign in again.',
  },
  second_factor_required: {
    status: 401,
    meaning:
      'A sign-in waits for the second factor of its account (401, with a challenge), or the organization or project requires one that the account lacks (403; in a project with an enrolment), or an operator has none or has not met it (403).',
  },
  invalid_challenge: {
    status: 401,
    meaning: 'The challenge was used, has expired or has no try left; begin again.',
  },
  invalid_second_factor: {
    status: 401,
    meaning:
      'The code is wrong, was used before, or belongs to another time; wait for the next one. Or the passkey is not accepted.',
  },
  invalid_passkey: {
    status: 401,
    meaning:
      'The passkey is unknown here, was not used for this request on an origin of this service, or its account is disabled.',
  },
  passkey_taken: { status: 409, meaning: 'An account has this passkey already.' },
  reauthentication_required: {
    status: 403,
    meaning:
      'The last proof of the user in this session is older than 10 minutes; POST /auth/v1/reauthenticate with the password, or with a second factor: a code, a recovery code or a passkey.',
  },
  factor_not_found: {
    status: 404,
    meaning: 'The caller has no factor with this id, or it expired unconfirmed.',
  },
  factor_required: { status: 409, meaning: 'The account has no factor in force; add one first.' },
  session_revoked: { status: 401, meaning: 'The session of this token has ended; sign in again.' },
  unsupported_grant_type: {
    status: 400,
    meaning: 'grant_type must be password, refresh_token, second_factor, passkey or code.',
  },
  user_required: {
    status: 403,
    meaning: 'Only a signed-in user can do this; an API key or the handler of a run cannot.',
  },
  wrong_password: { status: 403, meaning: 'The current password is wrong.' },
  invalid_token: {
    status: 400,
    meaning: 'The one-time token was used, has expired, or was not made for this; ask for a new one.',
  },
  invalid_code: {
    status: 400,
    meaning: 'The code was used, has expired, or does not go with the code_verifier; ask for a new mail.',
  },
  user_not_found: { status: 404, meaning: 'There is no user with this id.' },
  mail_not_found: { status: 404, meaning: 'The outbox and its history have no mail with this id.' },
  mail_not_repeatable: {
    status: 409,
    meaning:
      'Invitations and mails of a change of address cannot be sent again here; the hint says what to do instead.',
  },
  session_not_found: { status: 404, meaning: 'The caller has no session with this id.' },
  email_taken: { status: 409, meaning: 'An account with this e-mail address exists.' },

  weak_password: {
    status: 400,
    meaning: 'The password is among the most used ones, which are guessed first; choose another.',
  },
  sign_up_closed: { status: 403, meaning: 'Accounts are not open to everyone here; ask for an invitation.' },
  email_already_verified: {
    status: 409,
    meaning: 'The e-mail address of the account is verified already.',
  },
  user_disabled: { status: 409, meaning: 'The account is disabled; enable it first.' },
  email_not_verified: {
    status: 403,
    meaning: 'The account has not proven its e-mail address yet; follow the link that was mailed to it.',
  },
  run_token_not_allowed: {
    status: 403,
    meaning:
      'The token of a run cannot do this: it changes nothing under /auth/v1 and has no access to the secret that signs calls.',
  },
  operator_read_only: {
    status: 403,
    meaning: 'The operator may read, and change nothing.',
  },
  cross_site_request: {
    status: 403,
    meaning: "The request does not come from the console's own pages, which alone use this route.",
  },
  setup_closed: {
    status: 403,
    meaning:
      'The deployment has an operator, or its setup code is void; a restart shows a new one while there is no operator.',
  },
  invalid_setup_code: {
    status: 403,
    meaning: 'The setup code is not the one that the program showed when it started.',
  },
  limit_reached: {
    status: 403,
    meaning:
      'The account, tenant or run has as many of these as it may have; the hint names the setting if there is one.',
  },

  // Organizations and permissions
  org_required: { status: 400, meaning: 'Name the organization in the X-Service-Org header, by id or slug.' },
  org_mismatch: { status: 400, meaning: 'The header and the path name different organizations.' },
  not_a_member: {
    status: 403,
    meaning: 'There is no such organization, or the caller is not a member of it.',
  },
  permission_denied: { status: 403, meaning: "The caller's role or key lacks the permission." },
  permission_not_held: {
    status: 403,
    meaning: 'Nobody gives, or takes away, permissions that they do not hold themselves.',
  },
  org_not_found: { status: 404, meaning: 'There is no organization with this id or slug.' },
  member_not_found: { status: 404, meaning: 'The organization has no such member.' },
  role_not_found: { status: 404, meaning: 'The organization has no role with this name.' },
  invitation_not_found: { status: 404, meaning: 'The organization has no pending invitation with this id.' },
  key_outlives_maker: {
    status: 403,
    meaning: 'An API key that expires makes no key that lasts longer; the hint says until when.',
  },
  key_not_found: { status: 404, meaning: 'The organization has no API key with this id.' },
  unknown_role: { status: 400, meaning: 'The role that the body names does not exist in the organization.' },
  role_exists: { status: 409, meaning: 'The organization has a role with this name already.' },
  role_in_use: { status: 409, meaning: 'Members or pending invitations have this role.' },
  builtin_role: { status: 409, meaning: 'Built-in roles can be neither changed nor deleted.' },
  last_owner: { status: 409, meaning: 'An organization keeps at least one owner who can sign in.' },
  already_member: { status: 409, meaning: 'The address belongs to a member of the organization.' },
  sign_in_required: {
    status: 401,
    meaning: 'The invited address has an account; accept with its access token.',
  },
  wrong_account: { status: 403, meaning: "The invitation is for another e-mail address than the caller's." },
  role_deleted: {
    status: 409,
    meaning: 'The role of the invitation no longer exists; ask for a new invitation.',
  },
  invitation_void: {
    status: 409,
    meaning: 'The inviter may no longer give this role; ask for a new invitation.',
  },
  slug_taken: { status: 409, meaning: 'Another organization has this slug.' },

  // Secrets
  secret_not_found: { status: 404, meaning: 'There is no secret with this path.' },
  secret_in_use: { status: 409, meaning: 'A trigger or an endpoint names this secret.' },

  // Mail, and templates of projects
  mail_not_configured: {
    status: 503,
    meaning:
      'There is no mail server: set identity.smtp, or for a project its mail settings with PUT /auth/v1/mail.',
  },
  mail_failed: { status: 502, meaning: 'The mail server did not take the message.' },
  mail_settings_not_found: { status: 404, meaning: 'The project has no mail settings.' },
  template_not_found: {
    status: 404,
    meaning: 'There is no template of this name here; the list of templates has those that there are.',
  },

  // Projects
  project_required: {
    status: 400,
    meaning: 'Neither the credentials nor the host name a project; send its anon key, or call its host.',
  },
  project_mismatch: { status: 403, meaning: 'The credentials and the host name different projects.' },
  project_key_required: {
    status: 403,
    meaning: 'This needs a key of the project: the anon key, or where it says so the service key.',
  },
  project_not_found: { status: 404, meaning: 'There is no project with this ref.' },
  ref_taken: { status: 409, meaning: 'Another project has this ref.' },
  host_taken: { status: 409, meaning: 'Another project has one of these hosts.' },

  // Jobs
  job_not_found: { status: 404, meaning: 'There is no job with this id.' },
  hook_not_found: { status: 404, meaning: 'There is no hook with this name.' },
  hook_path_taken: { status: 409, meaning: 'Another job has a hook at this path; details says which.' },
  invalid_signature: {
    status: 401,
    meaning: 'The call is not signed as its hook demands, or not lately enough.',
  },
  job_paused: { status: 409, meaning: 'The job of this hook is paused.' },
  run_not_found: { status: 404, meaning: 'There is no run with this id.' },
  step_not_found: { status: 404, meaning: 'The run has no step of this name.' },
  run_unfinished: { status: 409, meaning: 'Only a run that has ended can be repeated.' },
  job_deleted: { status: 409, meaning: 'The job of this run was deleted, so it cannot be repeated.' },
  run_finished: { status: 409, meaning: 'The run has ended already.' },
  run_token_required: {
    status: 403,
    meaning: 'Only the token with which the handler of this attempt was called can do this.',
  },
  attempt_ended: {
    status: 409,
    meaning: 'The attempt has ended already: with another report, its time limit, or its worker.',
  },
  run_cancelled: { status: 409, meaning: 'The run was cancelled; its handler should stop.' },
  idempotency_mismatch: {
    status: 409,
    meaning: 'This Idempotency-Key came with another body within the last 24 hours.',
  },
  search_too_long: {
    status: 400,
    meaning: 'The search takes too long; narrow it by job_id, status, since and until.',
  },
  too_many_runs: {
    status: 400,
    meaning:
      'More than 10,000 runs match the filter, or descend from the run; narrow the filter, for example by since and until.',
  },
  operation_not_found: { status: 404, meaning: 'There is no operation with this id.' },
  table_busy: {
    status: 409,
    meaning: 'A table that is to be watched has long writing transactions; try again when they have ended.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
