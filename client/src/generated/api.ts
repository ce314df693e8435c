// Made from the /openapi.json of both profiles by openapi-typescript. After a change of the API:
// UPDATE_CLIENT_TYPES=1 npm test -- test/slow/contract/client-types
export interface SharedPaths {
    "/admin/v1/audit": {
        /**
         * The audit trail of the whole deployment, newest first
         * @description Entries of all organizations or projects, of accounts, and of the deployment itself. A request looks at a limited number of entries. If few of them match your filters, the page has fewer entries than `limit`, or none, and the `Link` header still names the next page.
         */
        get: operations["OperatorAudit_list"];
    };
    "/admin/v1/audit/export": {
        /**
         * The audit trail of the whole deployment as a file
         * @description All entries that match the filters, newest first, as newline-delimited JSON or CSV (RFC 4180). In CSV, a value that a spreadsheet would run as a formula begins with an apostrophe. If the caller loses access, the response breaks off.
         */
        get: operations["OperatorAudit_export"];
    };
    "/admin/v1/instances": {
        /**
         * The processes of the deployment, oldest first
         * @description A process that stops leaves the list. One that was killed stays for an hour.
         */
        get: operations["Instances_list"];
    };
    "/admin/v1/mail": {
        /**
         * Mails that wait, were sent or failed, newest first
         * @description With what the mail server answered, and without subject and text. A finished mail is listed for `identity.mail_history_days` and as long as its user exists. An invitation is sent while its request waits, and listed afterwards, as long as its user or organization exists. Test messages are not listed.
         */
        get: operations["OperatorOutbox_list"];
    };
    "/admin/v1/mail/{id}/retry": {
        /**
         * Send a mail again
         * @description A mail that waits is due now, unless it is being sent. For one that was sent or failed, a new mail of the same kind is sent, with a new link, within the limits on mails; the response is the new mail. Invitations and mails of a change of address are refused; the hint says what to do instead.
         */
        post: operations["OperatorOutbox_retry"];
    };
    "/admin/v1/operators": {
        /**
         * The accounts that operate the deployment
         * @description In the order of their addresses. `servicectl operators` adds and removes them, on the machine of the deployment.
         */
        get: operations["Operators_list"];
    };
    "/admin/v1/queue": {
        /**
         * What waits and what is at work, by tenant, the longest wait first
         * @description Lists the tenants with runs that wait or are at work, at most half a second old. Of a tenant with more than 10,000 waiting runs, `waiting` is the number that its quota counts, which includes delayed triggers, and `delayed` is a lower bound.
         */
        get: operations["OperatorQueue_list"];
    };
    "/admin/v1/settings": {
        /**
         * The settings in force, and where each comes from
         * @description Of the instance that answers, as it read them at its start. No secret is shown.
         */
        get: operations["Settings_list"];
    };
    "/admin/v1/sign-ins/stats": {
        /**
         * How many people signed up, signed in and were refused, by interval
         * @description Of the whole deployment, two seconds old at most. One point for each interval, also where nobody signed in. The figures are kept for 400 days. A process that dies loses what it counted in its last two seconds; the audit trail has each sign-in.
         */
        get: operations["SignInStats_list"];
    };
    "/admin/v1/users/import": {
        /**
         * Import accounts of another system
         * @description Newline-delimited JSON, at most 1,000 lines in one request; a larger file goes in several. Each line has `email`, and may have `email_verified`, `password_hash` (Argon2, bcrypt, scrypt or PBKDF2, in PHC or modular form), `metadata` and `created_at`, in profile organization `organizations` (`[{"slug","role"}]`), and in profile project the ref of its `project`. A line becomes an account with all of its memberships, or nothing. A line whose address has an account changes nothing, so that requests can be repeated. No mail is sent.
         */
        post: operations["OperatorImports_import"];
    };
    "/console/session": {
        /**
         * Sign in to the console by password
         * @description For the pages of the console alone. A cookie that no script can read keeps the refresh token. Where users belong to projects, the account is that of an operator.
         */
        post: operations["ConsoleSession_signIn"];
        /** Sign out of the console */
        delete: operations["ConsoleSession_signOut"];
    };
    "/console/session/options": {
        /** How one signs in to the console */
        get: operations["ConsoleOptions_show"];
    };
    "/console/session/passkey": {
        /**
         * Sign in to the console by a passkey alone
         * @description Of an account of the console, used on the origin of the console.
         */
        post: operations["ConsoleSession_signInByPasskey"];
    };
    "/console/session/passkey/options": {
        /** Begin to sign in to the console by a passkey */
        post: operations["ConsoleSession_passkeyOptions"];
    };
    "/console/session/refresh": {
        /**
         * Renew the console's session by its cookie
         * @description Two tabs may do so at once, and an answer may get lost: within 30 seconds the cookie of before renews the session once more. A session of a project answers its service key.
         */
        post: operations["ConsoleSession_refresh"];
    };
    "/console/session/second-factor": {
        /** Complete a sign-in to the console by a second factor */
        post: operations["ConsoleSession_completeSignIn"];
    };
    "/console/session/setup": {
        /**
         * Create the first operator and sign in to the console
         * @description With the code that `npm start` shows while there is no operator and the deployment has its own database. An address that has an account takes the password of that account.
         */
        post: operations["ConsoleSession_setUp"];
    };
    "/health": {
        /**
         * State of the deployment
         * @description 503, with the same body, when Postgres does not answer or takes no writes.
         */
        get: operations["Health_show"];
    };
    "/health/live": {
        /** Whether the process runs */
        get: operations["Health_live"];
    };
    "/health/ready": {
        /**
         * Whether this instance can take traffic
         * @description 503 while it starts and while it drains, or when Postgres or Redis refuses to work.
         */
        get: operations["Health_ready"];
    };
    "/jobs/v1/hooks/{name}": {
        /**
         * Call the hook of a job by GET
         * @description The trigger says which method its hook takes and how calls are signed. The run gets the JSON body, a form as an object of its fields, or without a body the query as an object. A redelivery answers the run of the first delivery.
         */
        get: operations["Hooks_callByGet"];
        /**
         * Call the hook of a job by PUT
         * @description The trigger says which method its hook takes and how calls are signed. The run gets the JSON body, a form as an object of its fields, or without a body the query as an object. A redelivery answers the run of the first delivery.
         */
        put: operations["Hooks_callByPut"];
        /**
         * Call the hook of a job by POST
         * @description The trigger says which method its hook takes and how calls are signed. The run gets the JSON body, a form as an object of its fields, or without a body the query as an object. A redelivery answers the run of the first delivery.
         */
        post: operations["Hooks_callByPost"];
        /**
         * Call the hook of a job by DELETE
         * @description The trigger says which method its hook takes and how calls are signed. The run gets the JSON body, a form as an object of its fields, or without a body the query as an object. A redelivery answers the run of the first delivery.
         */
        delete: operations["Hooks_callByDelete"];
        /**
         * Call the hook of a job by PATCH
         * @description The trigger says which method its hook takes and how calls are signed. The run gets the JSON body, a form as an object of its fields, or without a body the query as an object. A redelivery answers the run of the first delivery.
         */
        patch: operations["Hooks_callByPatch"];
    };
    "/jobs/v1/jobs": {
        /**
         * Jobs in the order of their ids
         * @description Needs the permission `jobs:jobs:read`.
         */
        get: operations["Definitions_list"];
        /**
         * Register the jobs of a manifest
         * @description All of them or none. Registering the same manifest again changes nothing. A manifest without `paused` leaves a pause as it is.
         *
         *     Needs the permission `jobs:jobs:write`.
         */
        post: operations["Definitions_register"];
        /**
         * Pause all jobs or some, or let them go on
         * @description All of them or none: an unknown id changes nothing.
         *
         *     Needs the permission `jobs:jobs:write`.
         */
        patch: operations["Definitions_pauseAll"];
    };
    "/jobs/v1/jobs/{id}": {
        /**
         * A job, when it fires next, and its newest run
         * @description Needs the permission `jobs:jobs:read`.
         */
        get: operations["Definitions_show"];
        /**
         * Delete a job
         * @description Its waiting runs are cancelled, those at work end, and its history stays.
         *
         *     Needs the permission `jobs:jobs:write`.
         */
        delete: operations["Definitions_delete"];
        /**
         * Pause a job, or let it go on
         * @description What its schedules, webhooks and row changes would have set going while it was paused does not follow later.
         *
         *     Needs the permission `jobs:jobs:write`.
         */
        patch: operations["Definitions_pause"];
    };
    "/jobs/v1/jobs/{id}/next": {
        /**
         * When the schedules of a job fire next
         * @description One entry for each cron trigger, whether the job is paused or not.
         *
         *     Needs the permission `jobs:jobs:read`.
         */
        get: operations["NextInstants_list"];
    };
    "/jobs/v1/jobs/{id}/trigger": {
        /**
         * Run a job now, after a delay, or at an instant
         * @description The answer means that the run is stored and will end, whatever happens to this server.
         *
         *     Needs the permission `jobs:jobs:trigger`.
         */
        post: operations["Triggers_trigger"];
    };
    "/jobs/v1/jobs/{id}/trigger/batch": {
        /**
         * Run a job many times
         * @description All of the runs or none. An item with the `idempotency_key` of an earlier trigger, in this batch or within the last 24 hours, gives the run of that trigger; so a batch in which every item has a key can be sent again. The payload of an item may be as large as the body of a single trigger.
         *
         *     Needs the permission `jobs:jobs:trigger`.
         */
        post: operations["Triggers_triggerBatch"];
    };
    "/jobs/v1/jobs/{id}/webhooks": {
        /**
         * The webhooks of a job, and why a call of each was refused last
         * @description Calls that were accepted are runs of the job. A body that is too large or compressed is refused unread, and not noted.
         *
         *     Needs the permission `jobs:jobs:read`.
         */
        get: operations["JobWebhooks_list"];
    };
    "/jobs/v1/logs": {
        /**
         * Logs of all runs
         * @description Oldest first; with `order=desc` newest first. With `follow=true` Server-Sent Events: each has a line as data and an id to resume from. The first, `event: start`, has an id alone. The stream begins with what is new.
         *
         *     Needs the permission `jobs:logs:read`.
         */
        get: operations["Logs_ofAll"];
    };
    "/jobs/v1/operations/{id}": {
        /**
         * How far an operation on runs is
         * @description Needs the permission `jobs:runs:read`.
         */
        get: operations["Operations_show"];
    };
    "/jobs/v1/queue": {
        /**
         * What waits and what is at work, by job
         * @description At most half a second old.
         *
         *     Needs the permission `jobs:runs:read`.
         */
        get: operations["QueueState_show"];
    };
    "/jobs/v1/runs": {
        /**
         * Runs, newest first
         * @description The filters hold together; the next page, which the `Link` header names, has the same. With `payload`, `handler` or `min_duration_ms`, or with two of `error_code`, `status`, `job_id` and `trigger`, a page examines the next 10,000 runs that match one of the filters, with `payload` those of the next 32 MiB of payloads: it may have fewer runs than `limit`, or none, and there are more as long as the header names a next page.
         *
         *     Needs the permission `jobs:runs:read`.
         */
        get: operations["Runs_list"];
    };
    "/jobs/v1/runs/{id}": {
        /**
         * A run with its payload, result and attempts
         * @description Needs the permission `jobs:runs:read`.
         */
        get: operations["Runs_show"];
    };
    "/jobs/v1/runs/{id}/attempts/{number}/complete": {
        /**
         * Say that a deferred attempt has succeeded
         * @description By the token with which the handler of this attempt was called, even once it has expired. A handler defers its attempt by answering 202 with `Service-Defer: true`. The same report again has the same answer.
         *
         *     Needs the permission `jobs:runs:report`.
         */
        post: operations["AttemptReports_complete"];
    };
    "/jobs/v1/runs/{id}/attempts/{number}/fail": {
        /**
         * Say that a deferred attempt has failed
         * @description By the token with which the handler of this attempt was called, even once it has expired. The run is retried as after any failure, unless it is `fatal`.
         *
         *     Needs the permission `jobs:runs:report`.
         */
        post: operations["AttemptReports_fail"];
    };
    "/jobs/v1/runs/{id}/attempts/{number}/heartbeat": {
        /**
         * Say that a deferred attempt goes on
         * @description By the token with which the handler of this attempt was called, even once it has expired. The attempt goes on for `timeout_ms` of its job from now; without a sign of life for so long, it ends as a timeout.
         *
         *     Needs the permission `jobs:runs:report`.
         */
        post: operations["AttemptReports_heartbeat"];
    };
    "/jobs/v1/runs/{id}/attempts/{number}/log": {
        /**
         * Add lines to the log of the run
         * @description By the token with which the handler of this attempt was called, even once it has expired. A list of up to 1000 lines. This is a sign of life, too.
         *
         *     Needs the permission `jobs:runs:report`.
         */
        post: operations["AttemptReports_log"];
    };
    "/jobs/v1/runs/{id}/cancel": {
        /**
         * End a run that has not ended
         * @description The call to the handler is closed if one is in progress; its answer would change nothing. With `children`, the runs that its handler triggered, and those that theirs did, end too, all at once: none of them starts afterwards. This also works on a run that has ended as long as one of them has not.
         *
         *     Needs the permission `jobs:runs:cancel`.
         */
        post: operations["Runs_cancel"];
    };
    "/jobs/v1/runs/{id}/logs": {
        /**
         * What a run went through, and what its handler printed
         * @description Oldest first; with `order=desc` newest first. With `follow=true` Server-Sent Events: each has a line as data and an id to resume from. The first, `event: start`, has an id alone. The stream begins with the history and closes with `event: end` when the run has ended.
         *
         *     Needs the permission `jobs:logs:read`.
         */
        get: operations["Logs_ofRun"];
    };
    "/jobs/v1/runs/{id}/retry": {
        /**
         * Run again what has ended
         * @description Makes a new run with the same trigger and `retry_of`, and with the same payload unless the body has another. Handler, time limit and retries are those that the job has now; a paused job runs too.
         *
         *     Needs the permission `jobs:jobs:trigger`.
         */
        post: operations["Runs_retry"];
    };
    "/jobs/v1/runs/{id}/steps": {
        /**
         * What the handler of a run has kept, without the values
         * @description The earliest first.
         *
         *     Needs the permission `jobs:runs:read`.
         */
        get: operations["Steps_list"];
    };
    "/jobs/v1/runs/{id}/steps/{name}": {
        /**
         * A step of a run with its value
         * @description A handler reads the steps of its own run while its attempt goes on, by the token of the call, even once it has expired.
         *
         *     Needs the permission `jobs:runs:read`.
         */
        get: operations["Steps_show"];
        /**
         * Keep what a handler has done
         * @description By the token with which the handler of this run was called, even once it has expired. A step is kept once for each name: for one that the run has, the answer is the step that it has, whatever valid value the body has. Later attempts of the run read it and need not do the same again. A run keeps 1,000 steps. For a deferred attempt, this is a sign of life.
         *
         *     Needs the permission `jobs:runs:report`.
         */
        put: operations["Steps_keep"];
    };
    "/jobs/v1/runs/bulk": {
        /**
         * Retry or cancel all runs that match a filter
         * @description Begins an operation on the runs that match now and that the action can happen to: ended runs are retried, the others cancelled. Where none match, there is no operation. At most 10,000 runs. Retries wait while the tenant has as many waiting runs as it may have, for up to 24 hours. Needs also `jobs:jobs:trigger` or `jobs:runs:cancel`.
         *
         *     Needs the permission `jobs:runs:read`.
         */
        post: operations["Operations_begin"];
    };
    "/jobs/v1/schedule": {
        /**
         * When the schedules of all jobs fire, in order of time
         * @description Includes the jobs that are paused. Changes of the clock are taken into account.
         *
         *     Needs the permission `jobs:jobs:read`.
         */
        get: operations["Calendar_list"];
    };
    "/jobs/v1/signing-secret": {
        /**
         * The secret with which calls to handlers are signed
         * @description Handlers verify the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` with it, by Standard Webhooks. Made when it is first needed.
         *
         *     Needs the permission `jobs:secrets:read`.
         */
        get: operations["SigningSecret_show"];
    };
    "/jobs/v1/signing-secret/rotate": {
        /**
         * Replace the secret with which calls to handlers are signed
         * @description For 24 hours calls carry a signature of the new secret and one of the old.
         *
         *     Needs the permission `jobs:secrets:write`.
         */
        post: operations["SigningSecret_rotate"];
    };
    "/jobs/v1/stats": {
        /**
         * How many runs were accepted and ended, and how long they took, by interval
         * @description One point for each interval, also where nothing happened. Includes what was committed a moment ago. Intervals of 1m and 5m reach back 14 days, of 1h 100 days, of 1d five years.
         *
         *     Needs the permission `jobs:runs:read`.
         */
        get: operations["RunStats_list"];
    };
    "/metrics": {
        /**
         * Metrics of this instance
         * @description In the text format of Prometheus.
         */
        get: operations["Metrics_index"];
    };
    "/vault/v1/secrets": {
        /**
         * Secrets, newest first, without their values
         * @description Needs the permission `jobs:secrets:read`.
         */
        get: operations["Vault_list"];
    };
    "/vault/v1/secrets/{path}": {
        /**
         * A secret, without its value
         * @description Needs the permission `jobs:secrets:read`.
         */
        get: operations["Vault_show"];
        /**
         * Make a secret, or replace its value
         * @description Values are write-only: no answer ever has one. Whatever names the secret uses the new value at once.
         *
         *     Needs the permission `jobs:secrets:write`.
         */
        put: operations["Vault_set"];
        /**
         * Delete a secret that nothing names
         * @description Needs the permission `jobs:secrets:write`.
         */
        delete: operations["Vault_delete"];
    };
}
export interface OrganizationPaths extends SharedPaths {
    "/.well-known/jwks.json": {
        /**
         * Public keys that verify access tokens, where verifiers look for them
         * @description The same as `GET /auth/v1/keys`.
         */
        get: operations["Jwks_showWellKnown"];
    };
    "/.well-known/openid-configuration": {
        /**
         * Who issues access tokens, and where their keys are
         * @description For verifiers that find keys by OpenID Connect Discovery or RFC 8414. They require that the issuer is the URL before `/.well-known`: set `identity.jwt_issuer` and `identity.public_url` to it.
         */
        get: operations["Jwks_discover"];
    };
    "/admin/v1/brand": {
        /**
         * The look of mails and pages
         * @description As the settings under `identity.brand` have it.
         */
        get: operations["OperatorBrand_show"];
    };
    "/admin/v1/mail/test": {
        /** Send a test mail through the settings, now */
        post: operations["OperatorBrand_test"];
    };
    "/admin/v1/orgs": {
        /** Organizations, newest first */
        get: operations["OperatorOrganizations_list"];
        /**
         * Create an organization for an account, which owns it
         * @description An account whose address nobody has proven is refused by `owner_email`, because anyone can sign up with any address; `owner_id` accepts it.
         */
        post: operations["OperatorOrganizations_create"];
    };
    "/admin/v1/orgs/{org}": {
        /** Any organization, named by id, slug or former slug */
        get: operations["OperatorOrganizations_show"];
        /**
         * Delete any organization with everything that belongs to it
         * @description Deletes its members, roles, invitations, API keys and jobs; its audit entries and the accounts of its members stay. This cannot be undone.
         */
        delete: operations["OperatorOrganizations_delete"];
        /**
         * Change the name, the slug or the settings of any organization
         * @description For 30 days, the old slug still refers to the organization and nobody else can take it. If you demand a second factor, members without one are refused there until they have added one to their account.
         */
        patch: operations["OperatorOrganizations_update"];
    };
    "/admin/v1/orgs/{org}/members": {
        /** Members of an organization, newest first */
        get: operations["OperatorMembers_list"];
    };
    "/admin/v1/orgs/{org}/members/{user_id}": {
        /**
         * Give a user a role in an organization
         * @description Adds the user if they are not a member. To hand over an organization whose last owner left, make another user `owner`, then remove the former one.
         */
        put: operations["OperatorMembers_put"];
        /**
         * Remove a member of an organization
         * @description Refused for the last owner who can sign in, so that the organization keeps one. API keys that the member made stay in force, as those of programs do, unless you revoke them.
         */
        delete: operations["OperatorMembers_remove"];
    };
    "/admin/v1/signing-keys": {
        /** Signing keys and their states, newest first */
        get: operations["SigningKeyOperator_list"];
    };
    "/admin/v1/signing-keys/rotate": {
        /**
         * Replace the signing key
         * @description Publishes the next key, which signs after `identity.key_publish_lead_secs`; while one waits, answers that one.
         */
        post: operations["SigningKeyOperator_rotate"];
    };
    "/admin/v1/templates": {
        /** The mail templates, and what they can contain */
        get: operations["OperatorTemplates_list"];
    };
    "/admin/v1/templates/{name}": {
        /** A mail template as it is in use */
        get: operations["OperatorTemplates_show"];
        /**
         * Replace a mail template
         * @description The list shows the variables of each template. `{{#if variable}}` and `{{#unless variable}}` take `{{else}}`. `html` and `text` must contain the link, except in `notice`. Values are escaped in `html`.
         */
        put: operations["OperatorTemplates_put"];
        /** Put the built-in mail template back */
        delete: operations["OperatorTemplates_reset"];
    };
    "/admin/v1/templates/{name}/preview": {
        /**
         * Show a mail with made-up values
         * @description Sends nothing, and issues no token.
         */
        post: operations["OperatorTemplates_preview"];
    };
    "/admin/v1/users": {
        /** Users, newest first */
        get: operations["OperatorUsers_list"];
        /**
         * Create a user
         * @description Whatever `identity.sign_up` says. The address is unverified until the user follows the link of a mail, and a recovery removes a password that was set here.
         */
        post: operations["OperatorUsers_create"];
    };
    "/admin/v1/users/{id}": {
        /** A user */
        get: operations["OperatorUsers_show"];
        /** Disable or enable a user */
        patch: operations["OperatorUsers_change"];
    };
    "/admin/v1/users/{id}/api-keys": {
        /**
         * API keys that a user created, newest first
         * @description In every organization. Keys outlive the account of their creator. Revoked and expired ones are listed.
         */
        get: operations["OperatorApiKeys_list"];
    };
    "/admin/v1/users/{id}/api-keys/{key_id}": {
        /**
         * Revoke an API key that a user created
         * @description It is refused everywhere within a second. Revoking it again changes nothing.
         */
        delete: operations["OperatorApiKeys_revoke"];
    };
    "/admin/v1/users/{id}/audit": {
        /**
         * The audit entries of an account, newest first
         * @description What happened in an organization is in the trail of that organization.
         */
        get: operations["OperatorUserAudit_list"];
    };
    "/admin/v1/users/{id}/factors": {
        /**
         * Second factors of a user
         * @description All that are in force, at most 10, the oldest first.
         */
        get: operations["OperatorUserAccount_listFactors"];
        /**
         * Remove all second factors of a user
         * @description For who has lost them. Recovery codes go with them, and every session ends with its access tokens. The user is notified by mail. Repeating it changes nothing.
         */
        delete: operations["OperatorUserAccount_resetFactors"];
    };
    "/admin/v1/users/{id}/mails": {
        /**
         * Send a verification or recovery mail to a user
         * @description The limits on mails to a recipient apply; past them the answer is 429. Only the newest link works.
         */
        post: operations["OperatorUserAccount_sendMail"];
    };
    "/admin/v1/users/{id}/organizations": {
        /** Organizations of a user, newest organization first */
        get: operations["OperatorUserOrganizations_list"];
    };
    "/admin/v1/users/{id}/password": {
        /**
         * Set the password of a user
         * @description Ends every session with its access tokens and voids mailed links that sign in or set a password. A mail notifies the user. The address stays as verified or unverified as it was.
         */
        put: operations["OperatorUserAccount_setPassword"];
        /**
         * Remove the password of a user
         * @description As setting it, but the user can sign in again only after a recovery. Repeating it changes nothing.
         */
        delete: operations["OperatorUserAccount_removePassword"];
    };
    "/admin/v1/users/{id}/sessions": {
        /** Live sessions of a user, newest first */
        get: operations["OperatorUserSessions_list"];
        /**
         * End all sessions of a user
         * @description Every instance refuses their access tokens within a second. The user can sign in again.
         */
        delete: operations["OperatorUserSessions_endAll"];
    };
    "/admin/v1/users/{id}/sessions/{session_id}": {
        /**
         * End a session of a user
         * @description Every instance refuses its access tokens within a second.
         */
        delete: operations["OperatorUserSessions_end"];
    };
    "/auth/v1/factors": {
        /**
         * The caller's second factors
         * @description All that are in force, at most 10, the oldest first.
         */
        get: operations["Factors_list"];
    };
    "/auth/v1/factors/{id}": {
        /**
         * Remove a second factor
         * @description Needs a proof of the last 10 minutes. The recovery codes go with the last factor.
         */
        delete: operations["Factors_remove"];
        /**
         * Rename a second factor
         * @description Needs a proof of the last 10 minutes.
         */
        patch: operations["Factors_rename"];
    };
    "/auth/v1/factors/passkeys": {
        /**
         * Add a passkey
         * @description In force at once. Needs a proof of the last 10 minutes. The first factor does what it does as an authenticator application: it answers recovery codes and ends every other session.
         */
        post: operations["Factors_addPasskey"];
    };
    "/auth/v1/factors/passkeys/options": {
        /**
         * Begin to add a passkey
         * @description What `navigator.credentials.create` takes as `publicKey`, in JSON. Needs a proof of the last 10 minutes. Good for one use within 5 minutes; an account has at most 5 such options at one time, of which the oldest go first.
         */
        post: operations["Factors_passkeyOptions"];
    };
    "/auth/v1/factors/recovery-codes": {
        /**
         * Replace the recovery codes
         * @description Needs a proof of the last 10 minutes. The old codes are void.
         */
        post: operations["Factors_renewCodes"];
    };
    "/auth/v1/factors/totp": {
        /**
         * Begin to add an authenticator application
         * @description Needs a proof of the last 10 minutes. Not in force until a code confirms it, within an hour.
         */
        post: operations["Factors_add"];
    };
    "/auth/v1/factors/totp/{id}/confirm": {
        /**
         * Put an authenticator application in force
         * @description Answers the recovery codes with the first factor, and then ends every other session, because none of them met it.
         */
        post: operations["Factors_confirm"];
    };
    "/auth/v1/gate": {
        /**
         * For a reverse proxy's auth sub-request: may the caller do this?
         * @description Answers in the status alone, and says in headers who is calling. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        get: operations["Gate_ask_get"];
        /**
         * For a reverse proxy's auth sub-request: may the caller do this?
         * @description Answers in the status alone, and says in headers who is calling. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        put: operations["Gate_ask_put"];
        /**
         * For a reverse proxy's auth sub-request: may the caller do this?
         * @description Answers in the status alone, and says in headers who is calling. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        post: operations["Gate_ask_post"];
        /**
         * For a reverse proxy's auth sub-request: may the caller do this?
         * @description Answers in the status alone, and says in headers who is calling. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        delete: operations["Gate_ask_delete"];
        /**
         * For a reverse proxy's auth sub-request: may the caller do this?
         * @description Answers in the status alone, and says in headers who is calling. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        options: operations["Gate_ask_options"];
        /**
         * For a reverse proxy's auth sub-request: may the caller do this?
         * @description Answers in the status alone, and says in headers who is calling. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        patch: operations["Gate_ask_patch"];
    };
    "/auth/v1/gate/{permission}/{path}": {
        /**
         * The same for a proxy that appends the path of the request to that of the gate, as Envoy does
         * @description What follows the permission, and the query, are those of the request, and are not looked at. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        get: operations["Gate_askByPath_get"];
        /**
         * The same for a proxy that appends the path of the request to that of the gate, as Envoy does
         * @description What follows the permission, and the query, are those of the request, and are not looked at. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        put: operations["Gate_askByPath_put"];
        /**
         * The same for a proxy that appends the path of the request to that of the gate, as Envoy does
         * @description What follows the permission, and the query, are those of the request, and are not looked at. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        post: operations["Gate_askByPath_post"];
        /**
         * The same for a proxy that appends the path of the request to that of the gate, as Envoy does
         * @description What follows the permission, and the query, are those of the request, and are not looked at. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        delete: operations["Gate_askByPath_delete"];
        /**
         * The same for a proxy that appends the path of the request to that of the gate, as Envoy does
         * @description What follows the permission, and the query, are those of the request, and are not looked at. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        options: operations["Gate_askByPath_options"];
        /**
         * The same for a proxy that appends the path of the request to that of the gate, as Envoy does
         * @description What follows the permission, and the query, are those of the request, and are not looked at. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        patch: operations["Gate_askByPath_patch"];
    };
    "/auth/v1/invitations/accept": {
        /**
         * Accept an invitation
         * @description With a password where the invited address has no account yet: it makes one and signs it in. Else with the access token of its account. An invitation that was mailed, and whose link no answer has shown, proves the address: an account that had not proven it loses its password, sessions and access tokens and is handed over with a new `session`, for which a `password` does as well as the access token.
         */
        post: operations["InvitationAcceptance_accept"];
    };
    "/auth/v1/keys": {
        /** Public keys that verify access tokens */
        get: operations["Jwks_show"];
    };
    "/auth/v1/logout": {
        /**
         * End this session, the other ones, or all
         * @description By access token, or by `refresh_token` in the body, whose session counts when both are sent. An unknown refresh token is answered with 204 as well, and so is a session that has ended, with `local`; it ends no other one. Access tokens live on until they expire.
         */
        post: operations["Logout_logOut"];
    };
    "/auth/v1/orgs": {
        /** The caller's organizations, newest first */
        get: operations["Organizations_list"];
        /**
         * Create an organization and own it
         * @description Where `identity.organization_creation` is `operator`, the operator alone does: `POST /admin/v1/orgs`.
         */
        post: operations["Organizations_create"];
    };
    "/auth/v1/orgs/{org}": {
        /** An organization, named by id, slug or former slug */
        get: operations["Organizations_show"];
        /**
         * Delete an organization with everything that belongs to it
         * @description Deletes its members, roles, invitations, API keys and jobs; its audit entries stay. This cannot be undone.
         *
         *     Needs the permission `auth:orgs:delete`.
         */
        delete: operations["Organizations_delete"];
        /**
         * Change the name, the slug or the settings of an organization
         * @description For 30 days, the old slug still refers to the organization and nobody else can take it.
         *
         *     Needs the permission `auth:orgs:update`.
         */
        patch: operations["Organizations_update"];
    };
    "/auth/v1/orgs/{org}/api-keys": {
        /**
         * API keys of the organization, newest first
         * @description Revoked and expired keys stay in the list.
         *
         *     Needs the permission `auth:keys:read`.
         */
        get: operations["ApiKeys_list"];
        /**
         * Create an API key
         * @description The key belongs to the organization and outlives its creator. Only this response shows it; send it as `Authorization: Bearer svc_…` or `X-API-Key`. A key that another key creates expires no later than that one.
         *
         *     Needs the permission `auth:keys:create`.
         */
        post: operations["ApiKeys_create"];
    };
    "/auth/v1/orgs/{org}/api-keys/{id}": {
        /**
         * Revoke an API key
         * @description The caller must hold every permission of the key. It is refused everywhere within a second. Revoking it again changes nothing.
         *
         *     Needs the permission `auth:keys:delete`.
         */
        delete: operations["ApiKeys_revoke"];
    };
    "/auth/v1/orgs/{org}/audit": {
        /**
         * The organization's audit trail, newest first
         * @description A request looks at a limited number of entries. If few of them match your filters, the page has fewer entries than `limit`, or none, and the `Link` header still names the next page.
         *
         *     Needs the permission `auth:audit:read`.
         */
        get: operations["OrganizationAudit_list"];
    };
    "/auth/v1/orgs/{org}/audit/export": {
        /**
         * The organization's audit trail as a file
         * @description All entries that match the filters, newest first, as newline-delimited JSON or CSV (RFC 4180). In CSV, a value that a spreadsheet would run as a formula begins with an apostrophe. If the caller loses access, the response breaks off.
         *
         *     Needs the permission `auth:audit:read`.
         */
        get: operations["OrganizationAudit_export"];
    };
    "/auth/v1/orgs/{org}/audit/verification": {
        /**
         * Verify the hash chain of the organization's audit trail
         * @description Needs the permission `auth:audit:read`.
         */
        get: operations["OrganizationAudit_verify"];
    };
    "/auth/v1/orgs/{org}/invitations": {
        /**
         * Invitations of every status, newest first
         * @description Needs the permission `auth:members:read`.
         */
        get: operations["Invitations_list"];
        /**
         * Invite an address
         * @description The caller must hold every permission of the role. Inviting an address again replaces its pending invitation. The invitation can be accepted for 7 days. Mails are limited by recipient and by organization (`limits.mail_interval_secs`, `limits.mails_per_recipient`, `limits.mails_per_sender`).
         *
         *     Needs the permission `auth:members:invite`.
         */
        post: operations["Invitations_create"];
    };
    "/auth/v1/orgs/{org}/invitations/{id}": {
        /**
         * Revoke a pending invitation and its link
         * @description Needs the permission `auth:members:invite`.
         */
        delete: operations["Invitations_revoke"];
    };
    "/auth/v1/orgs/{org}/members": {
        /**
         * Members, newest first
         * @description Needs the permission `auth:members:read`.
         */
        get: operations["Members_list"];
    };
    "/auth/v1/orgs/{org}/members/{user_id}": {
        /**
         * Remove a member, or leave
         * @description Requires the permission `auth:members:delete`, except that every member may leave. API keys that the member made stay in force, as those of programs do, unless you revoke them.
         */
        delete: operations["Members_remove"];
        /**
         * Give a member another role
         * @description The caller must hold every permission of the role the member has and of the one to be given.
         *
         *     Needs the permission `auth:members:update`.
         */
        patch: operations["Members_update"];
    };
    "/auth/v1/orgs/{org}/members/{user_id}/access": {
        /**
         * Whether a member may do something, and which permission of their role grants it
         * @description Explains the permission that you name. It changes nothing, and asks nothing of the member.
         *
         *     Needs the permission `auth:members:read`.
         */
        get: operations["MemberAccess_explain"];
    };
    "/auth/v1/orgs/{org}/roles": {
        /**
         * Roles, newest first; the built-in ones are the oldest
         * @description Needs the permission `auth:roles:read`.
         */
        get: operations["Roles_list"];
        /**
         * Create a role
         * @description The caller must hold every permission in it.
         *
         *     Needs the permission `auth:roles:create`.
         */
        post: operations["Roles_create"];
    };
    "/auth/v1/orgs/{org}/roles/{name}": {
        /**
         * A role
         * @description Needs the permission `auth:roles:read`.
         */
        get: operations["Roles_show"];
        /**
         * Delete a role that nobody has
         * @description Needs the permission `auth:roles:delete`.
         */
        delete: operations["Roles_delete"];
        /**
         * Change what a role allows, for everyone who has it
         * @description The caller must hold all of its former and all of its new permissions.
         *
         *     Needs the permission `auth:roles:update`.
         */
        patch: operations["Roles_update"];
    };
    "/auth/v1/orgs/{org}/roles/{name}/holders": {
        /**
         * Who has a role: members, pending invitations, and API keys that may do as much
         * @description These are the callers that a change of the role concerns, and API keys with the same permissions or more.
         *
         *     Needs the permission `auth:members:read`.
         */
        get: operations["RoleHolders_list"];
    };
    "/auth/v1/pages/change-email": {
        /**
         * Page: confirm a new e-mail address
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["Pages_changeEmail"];
        /**
         * Page, submitted: confirm a new e-mail address
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so. Where the request that mailed the link had a `redirect_to`, the answer is 303 to it with `?code=…` added.
         */
        post: operations["Pages_submitChangeEmail"];
    };
    "/auth/v1/pages/invitation": {
        /**
         * Page: accept an invitation
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["Pages_invitation"];
        /**
         * Page, submitted: accept an invitation
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so. Where the request that mailed the link had a `redirect_to`, the answer is 303 to it with `?code=…` added.
         */
        post: operations["Pages_submitInvitation"];
    };
    "/auth/v1/pages/new-link": {
        /**
         * Page, submitted: send a new link
         * @description What the button on the page of a dead link sends: another mail of the same kind to the same address, within the limits on mails. The answer is the same whether or not one leaves.
         */
        post: operations["Pages_sendNewLink"];
    };
    "/auth/v1/pages/recover": {
        /**
         * Page: set a new password
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["Pages_recover"];
        /**
         * Page, submitted: set a new password
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so. Where the request that mailed the link had a `redirect_to`, the answer is 303 to it with `?code=…` added.
         */
        post: operations["Pages_submitRecover"];
    };
    "/auth/v1/pages/verify": {
        /**
         * Page: confirm an e-mail address
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["Pages_verify"];
        /**
         * Page, submitted: confirm an e-mail address
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so. Where the request that mailed the link had a `redirect_to`, the answer is 303 to it with `?code=…` added.
         */
        post: operations["Pages_submitVerify"];
    };
    "/auth/v1/passkeys/options": {
        /**
         * Begin to sign in by a passkey
         * @description What `navigator.credentials.get` takes as `publicKey`, in JSON, for a passkey of any account. The answer depends on no account, and nothing is stored.
         */
        post: operations["Session_passkeyOptions"];
    };
    "/auth/v1/permissions": {
        /**
         * The caller's effective permissions in the active organization
         * @description Of a run, those of its token, which still changes nothing under `/auth/v1`.
         */
        get: operations["Organizations_permissions"];
    };
    "/auth/v1/permissions/check": {
        /** Which of these permissions the caller has in the active organization */
        post: operations["PermissionChecks_check"];
    };
    "/auth/v1/reauthenticate": {
        /**
         * Prove again who is there
         * @description By `password`, `code`, `recovery_code`, or by `credential` for the options of `POST /auth/v1/reauthenticate/options`. The proof is recent for 10 minutes in this session.
         */
        post: operations["Factors_reauthenticate"];
    };
    "/auth/v1/reauthenticate/options": {
        /**
         * Begin to prove again who is there, by a passkey
         * @description What `navigator.credentials.get` takes as `publicKey`, in JSON. Good for one use within 5 minutes.
         */
        post: operations["Factors_reauthenticationOptions"];
    };
    "/auth/v1/recover": {
        /**
         * Ask for a mail that leads to a new password
         * @description The response is the same for known and unknown addresses. Each address gets at most one mail in 60 s.
         */
        post: operations["MailFlows_recover"];
    };
    "/auth/v1/recover/complete": {
        /**
         * Set a new password with the token of a mail, and sign in
         * @description Ends every other session; the address counts as verified.
         */
        post: operations["MailFlows_completeRecovery"];
    };
    "/auth/v1/sessions": {
        /** The caller's live sessions, newest first */
        get: operations["OwnSessions_list"];
    };
    "/auth/v1/sessions/{id}": {
        /** End one of the caller's sessions */
        delete: operations["OwnSessions_revoke"];
    };
    "/auth/v1/signup": {
        /** Create an account and sign it in */
        post: operations["Session_signUp"];
    };
    "/auth/v1/token": {
        /**
         * Sign in, or refresh
         * @description A refresh token is good for one use; using it again ends the session. Where a second factor is in force, a sign-in answers 401 `second_factor_required` with a challenge, which `grant_type=second_factor` completes. A passkey alone signs in with `grant_type=passkey`, after `POST /auth/v1/passkeys/options`. `grant_type=code` takes the code that the page of a mail added to its redirect URL.
         */
        post: operations["Session_token"];
    };
    "/auth/v1/user": {
        /** The caller's profile and organizations */
        get: operations["Profile_show"];
        /** Delete the caller's account, with its sessions and memberships */
        delete: operations["Profile_delete"];
        /**
         * Change the caller's metadata, language or password
         * @description A new password requires the current one, and ends every other session.
         */
        patch: operations["Profile_update"];
    };
    "/auth/v1/user/audit": {
        /** The audit entries of the caller's account, newest first */
        get: operations["Profile_audit"];
    };
    "/auth/v1/user/email": {
        /**
         * Change the address of the account
         * @description Needs a proof of the last 10 minutes. Sends a link to the new address, good for 24 hours, and a notice to the old one. The old address stays in force until the link is used. A new password voids it.
         */
        post: operations["Email_request"];
    };
    "/auth/v1/user/email/complete": {
        /**
         * Put a new address in force with the token of its mail
         * @description Links that were mailed to the old address are void from then on. Sessions stay.
         */
        post: operations["Email_complete"];
    };
    "/auth/v1/verify": {
        /** Prove an e-mail address with the token of a mail */
        post: operations["MailFlows_verify"];
    };
    "/auth/v1/verify/resend": {
        /**
         * Send the verification mail again
         * @description Once in 60 s, the mail of the sign-up included; answered with 204 whether or not a mail leaves. The newest link alone works.
         */
        post: operations["MailFlows_resend"];
    };
}
export interface ProjectPaths extends SharedPaths {
    "/.well-known/jwks.json": {
        /**
         * Public key that verifies the project's tokens, where verifiers look for it
         * @description The same as `GET /auth/v1/keys`.
         */
        get: operations["ProjectJwks_showWellKnown"];
    };
    "/.well-known/openid-configuration": {
        /**
         * Who issues the project's access tokens, and where their key is
         * @description For verifiers that find keys by OpenID Connect Discovery or RFC 8414. They require that the issuer is the URL before `/.well-known`. All projects have the issuer `identity.jwt_issuer`, so it is that of one host at most.
         */
        get: operations["ProjectJwks_discover"];
    };
    "/admin/v1/projects": {
        /** Projects, newest first */
        get: operations["OperatorProjects_list"];
        /**
         * Create a project
         * @description The service key is in this answer and in no other. The anon key is always shown.
         */
        post: operations["OperatorProjects_create"];
    };
    "/admin/v1/projects/{ref}": {
        /** A project */
        get: operations["OperatorProjects_show"];
        /**
         * Delete a project with all that belongs to it
         * @description Its users, sessions, jobs, secrets and keys go; its audit entries stay.
         */
        delete: operations["OperatorProjects_delete"];
        /** Change a project's name, hosts or redirect URLs */
        patch: operations["OperatorProjects_change"];
    };
    "/admin/v1/projects/{ref}/keys/rotate": {
        /**
         * Replace the anon key or the service key
         * @description The old one is refused everywhere within a second. A new service key is shown here only.
         */
        post: operations["OperatorProjects_rotate"];
    };
    "/auth/v1/audit": {
        /**
         * The project's audit trail, newest first
         * @description A request looks at a limited number of entries. If few of them match your filters, the page has fewer entries than `limit`, or none, and the `Link` header still names the next page. What concerns the account of one user is in the trail of that user.
         */
        get: operations["ProjectAudit_list"];
    };
    "/auth/v1/audit/export": {
        /**
         * The project's audit trail as a file
         * @description All entries that match the filters, newest first, as newline-delimited JSON or CSV (RFC 4180). In CSV, a value that a spreadsheet would run as a formula begins with an apostrophe. If the caller loses access, the response breaks off.
         */
        get: operations["ProjectAudit_export"];
    };
    "/auth/v1/audit/verification": {
        /** Verify the hash chain of the project's audit trail */
        get: operations["ProjectAudit_verify"];
    };
    "/auth/v1/brand": {
        /** The look of the project's mails and pages */
        get: operations["Brand_show"];
        /**
         * Set the look of the project's mails and pages, all of it
         * @description What is absent or null is as without a brand; the name is that of the project then.
         */
        put: operations["Brand_put"];
    };
    "/auth/v1/enrolment/passkeys": {
        /**
         * Put a passkey in force and sign in
         * @description Answers the session and the recovery codes.
         */
        post: operations["Enrolment_addPasskey"];
    };
    "/auth/v1/enrolment/passkeys/options": {
        /**
         * Begin to add a passkey within a sign-in
         * @description What `navigator.credentials.create` takes as `publicKey`, in JSON.
         */
        post: operations["Enrolment_passkeyOptions"];
    };
    "/auth/v1/enrolment/totp": {
        /**
         * Begin to add an authenticator application within a sign-in
         * @description Where the project demands a second factor. Not in force until a code confirms it.
         */
        post: operations["Enrolment_beginTotp"];
    };
    "/auth/v1/enrolment/totp/{id}/confirm": {
        /**
         * Put an authenticator application in force and sign in
         * @description Answers the session and the recovery codes. The token has five tries.
         */
        post: operations["Enrolment_confirmTotp"];
    };
    "/auth/v1/factors": {
        /**
         * The caller's second factors
         * @description All that are in force, at most 10, the oldest first.
         */
        get: operations["ProjectFactors_list"];
    };
    "/auth/v1/factors/{id}": {
        /**
         * Remove a second factor
         * @description Needs a proof of the last 10 minutes. The recovery codes go with the last factor.
         */
        delete: operations["ProjectFactors_remove"];
        /**
         * Rename a second factor
         * @description Needs a proof of the last 10 minutes.
         */
        patch: operations["ProjectFactors_rename"];
    };
    "/auth/v1/factors/passkeys": {
        /**
         * Add a passkey
         * @description In force at once. Needs a proof of the last 10 minutes. The first factor does what it does as an authenticator application: it answers recovery codes and ends every other session.
         */
        post: operations["ProjectFactors_addPasskey"];
    };
    "/auth/v1/factors/passkeys/options": {
        /**
         * Begin to add a passkey
         * @description What `navigator.credentials.create` takes as `publicKey`, in JSON. Needs a proof of the last 10 minutes. Good for one use within 5 minutes; an account has at most 5 such options at one time, of which the oldest go first.
         */
        post: operations["ProjectFactors_passkeyOptions"];
    };
    "/auth/v1/factors/recovery-codes": {
        /**
         * Replace the recovery codes
         * @description Needs a proof of the last 10 minutes. The old codes are void.
         */
        post: operations["ProjectFactors_renewCodes"];
    };
    "/auth/v1/factors/totp": {
        /**
         * Begin to add an authenticator application
         * @description Needs a proof of the last 10 minutes. Not in force until a code confirms it, within an hour.
         */
        post: operations["ProjectFactors_add"];
    };
    "/auth/v1/factors/totp/{id}/confirm": {
        /**
         * Put an authenticator application in force
         * @description Answers the recovery codes with the first factor, and then ends every other session, because none of them met it.
         */
        post: operations["ProjectFactors_confirm"];
    };
    "/auth/v1/invite": {
        /**
         * Invite an address by mail
         * @description The user exists from then on, and can sign in once the invitation is accepted. When the mail cannot be sent, or the invitation expires, the user goes again.
         */
        post: operations["ProjectInvitations_invite"];
    };
    "/auth/v1/invite/accept": {
        /** Accept an invitation: set the password, and sign in */
        post: operations["ProjectInvitations_accept"];
    };
    "/auth/v1/keys": {
        /** Public key that verifies the project's tokens */
        get: operations["ProjectJwks_show"];
    };
    "/auth/v1/logout": {
        /**
         * End a session
         * @description By `refresh_token` in the body, or else by access token. An unknown refresh token is answered with 204 as well. The access token lives on until it expires.
         */
        post: operations["ProjectSession_logOut"];
    };
    "/auth/v1/magic-link": {
        /**
         * Ask for a mail that signs in
         * @description Answered alike, and in the same time, whether or not the address has an account; it gets one. The link is good for 15 minutes. One mail in 60 s for each address.
         */
        post: operations["ProjectMailFlows_requestMagicLink"];
    };
    "/auth/v1/mail": {
        /** The project's mail settings, without the password */
        get: operations["MailSettings_show"];
        /**
         * Set the project's mail settings, all of them
         * @description Without them invitations are refused, and nobody gets a magic link or a recovery mail. Servers on loopback and private networks, and ports other than 25, 465, 587 and 2525, may be named where the operator allows it (`auth.private_mail_hosts`).
         */
        put: operations["MailSettings_put"];
        /** Forget the project's mail settings */
        delete: operations["MailSettings_delete"];
    };
    "/auth/v1/mail/outbox": {
        /**
         * The project's mails that wait, were sent or failed, newest first
         * @description With what the mail server answered, and without subject and text. A finished mail is listed for as long as the operator has configured (`identity.mail_history_days`) and its user exists. An invitation is sent while its request waits, and listed once the mail server has accepted it. Test messages are not listed.
         */
        get: operations["ProjectOutbox_list"];
    };
    "/auth/v1/mail/outbox/{id}/retry": {
        /**
         * Send a mail again
         * @description A mail that waits is due now, unless it is being sent. For one that was sent or failed, a new mail of the same kind is sent, with a new link, within the limits on mails; the response is the new mail. Invitations and mails of a change of address are refused; the hint says what to do instead.
         */
        post: operations["ProjectOutbox_retry"];
    };
    "/auth/v1/mail/test": {
        /** Send a test mail through the settings, now */
        post: operations["MailSettings_test"];
    };
    "/auth/v1/pages/{ref}/change-email": {
        /**
         * Page: confirm a new e-mail address
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["ProjectPages_changeEmail"];
        /**
         * Page, submitted: confirm a new e-mail address
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so. Where the request that mailed the link had a `redirect_to`, the answer is 303 to it with `?code=…` added.
         */
        post: operations["ProjectPages_submitChangeEmail"];
    };
    "/auth/v1/pages/{ref}/invite": {
        /**
         * Page: accept an invitation
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["ProjectPages_invite"];
        /**
         * Page, submitted: accept an invitation
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so. Where the request that mailed the link had a `redirect_to`, the answer is 303 to it with `?code=…` added.
         */
        post: operations["ProjectPages_submitInvite"];
    };
    "/auth/v1/pages/{ref}/magic-link": {
        /**
         * Page: sign in
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["ProjectPages_magicLink"];
        /**
         * Page, submitted: sign in
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so. Where the request that mailed the link had a `redirect_to`, the answer is 303 to it with `?code=…` added.
         */
        post: operations["ProjectPages_submitMagicLink"];
    };
    "/auth/v1/pages/{ref}/new-link": {
        /**
         * Page, submitted: send a new link
         * @description What the button on the page of a dead link sends: another mail of the same kind to the same address, within the limits on mails. The answer is the same whether or not one leaves.
         */
        post: operations["ProjectPages_sendNewLink"];
    };
    "/auth/v1/pages/{ref}/recover": {
        /**
         * Page: set a new password
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["ProjectPages_recover"];
        /**
         * Page, submitted: set a new password
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so. Where the request that mailed the link had a `redirect_to`, the answer is 303 to it with `?code=…` added.
         */
        post: operations["ProjectPages_submitRecover"];
    };
    "/auth/v1/passkeys/options": {
        /**
         * Begin to sign in by a passkey
         * @description What `navigator.credentials.get` takes as `publicKey`, in JSON, for a passkey of any account of the project. The answer depends on no account, and nothing is stored.
         */
        post: operations["ProjectSession_passkeyOptions"];
    };
    "/auth/v1/reauthenticate": {
        /**
         * Prove again who is there
         * @description By `password`, `code`, `recovery_code`, or by `credential` for the options of `POST /auth/v1/reauthenticate/options`. The proof is recent for 10 minutes in this session.
         */
        post: operations["ProjectFactors_reauthenticate"];
    };
    "/auth/v1/reauthenticate/options": {
        /**
         * Begin to prove again who is there, by a passkey
         * @description What `navigator.credentials.get` takes as `publicKey`, in JSON. Good for one use within 5 minutes.
         */
        post: operations["ProjectFactors_reauthenticationOptions"];
    };
    "/auth/v1/recover": {
        /**
         * Ask for a mail that leads to a new password
         * @description Answered alike, and in the same time, for known and unknown addresses. One mail in 60 s for each address.
         */
        post: operations["ProjectMailFlows_recover"];
    };
    "/auth/v1/recover/complete": {
        /**
         * Set a new password with the token of a mail, and sign in
         * @description Ends every other session.
         */
        post: operations["ProjectMailFlows_completeRecovery"];
    };
    "/auth/v1/sessions": {
        /** The caller's live sessions, newest first */
        get: operations["ProjectOwnSessions_list"];
        /**
         * End the caller's other sessions
         * @description Access tokens live on until they expire.
         */
        delete: operations["ProjectSession_endOthers"];
    };
    "/auth/v1/sessions/{id}": {
        /** End one of the caller's sessions */
        delete: operations["ProjectOwnSessions_revoke"];
    };
    "/auth/v1/sign-in-settings": {
        /** How the project's users sign in */
        get: operations["SignInSettings_show"];
        /**
         * Change how the project's users sign in
         * @description With `require_second_factor`, a sign-in of whoever has no second factor is answered with 403 `second_factor_required`, and an `enrolment` by which they add one and go on.
         */
        patch: operations["SignInSettings_change"];
    };
    "/auth/v1/signup": {
        /**
         * Create an account and sign it in
         * @description Where `identity.sign_up` is not `open`, with the service key alone.
         */
        post: operations["ProjectSession_signUp"];
    };
    "/auth/v1/templates": {
        /** The mail templates, and what they can contain */
        get: operations["Templates_list"];
    };
    "/auth/v1/templates/{name}": {
        /** A mail template as it is in use */
        get: operations["Templates_show"];
        /**
         * Replace a mail template
         * @description The list shows the variables of each template. `{{#if variable}}` and `{{#unless variable}}` take `{{else}}`. `html` and `text` must contain the link, except in `notice`. Values are escaped in `html`.
         */
        put: operations["Templates_put"];
        /** Put the built-in mail template back */
        delete: operations["Templates_reset"];
    };
    "/auth/v1/templates/{name}/preview": {
        /**
         * Show a mail with made-up values
         * @description Sends nothing, and issues no token.
         */
        post: operations["Templates_preview"];
    };
    "/auth/v1/token": {
        /**
         * Sign in, or refresh
         * @description With `email` and `password` a sign-in, which needs the anon key; with `refresh_token` alone a refresh, which answers the two tokens without `user`. A refresh token is good for one use. Where a second factor is in force, a sign-in answers 401 `second_factor_required` with a challenge, which `challenge_token` completes. With the `challenge_token` of `POST /auth/v1/passkeys/options`, a passkey alone signs in. With `code` a sign-in by what the page of a mail added to its redirect URL.
         */
        post: operations["ProjectSession_token"];
    };
    "/auth/v1/user": {
        /** The caller */
        get: operations["ProjectAccount_show"];
        /**
         * Change the caller's language or password
         * @description A new password requires the current one, and ends every other session.
         */
        patch: operations["ProjectAccount_update"];
    };
    "/auth/v1/user/email": {
        /**
         * Change the address of the account
         * @description Needs a proof of the last 10 minutes. Sends a link to the new address, good for 24 hours, and a notice to the old one. The old address stays in force until the link is used. A new password voids it.
         */
        post: operations["ProjectEmail_request"];
    };
    "/auth/v1/user/email/complete": {
        /**
         * Put a new address in force with the token of its mail
         * @description Links that were mailed to the old address are void from then on. Sessions stay.
         */
        post: operations["ProjectEmail_complete"];
    };
    "/auth/v1/users": {
        /** Users of the project, newest first */
        get: operations["ProjectUsers_list"];
        /**
         * Create a user
         * @description Whatever `identity.sign_up` says. The address is unverified until the user follows the link of a mail, which removes a password that was set here.
         */
        post: operations["ProjectUsers_create"];
    };
    "/auth/v1/users/{id}": {
        /** A user of the project */
        get: operations["ProjectUsers_show"];
        /** Delete a user, with all sessions */
        delete: operations["ProjectUsers_delete"];
        /** Disable or enable a user */
        patch: operations["ProjectUsers_change"];
    };
    "/auth/v1/users/{id}/audit": {
        /** The audit entries of an account, newest first */
        get: operations["ProjectUserAudit_list"];
    };
    "/auth/v1/users/{id}/factors": {
        /**
         * Second factors of a user
         * @description All that are in force, at most 10, the oldest first.
         */
        get: operations["ProjectUserAccount_listFactors"];
        /**
         * Remove all second factors of a user
         * @description For who has lost them. Recovery codes go with them, and every session ends with its access tokens. The user is notified by mail. Repeating it changes nothing.
         */
        delete: operations["ProjectUserAccount_resetFactors"];
    };
    "/auth/v1/users/{id}/mails": {
        /**
         * Send a magic link or a recovery mail to a user
         * @description The limits on mails to a recipient apply; past them the answer is 429. Only the newest link works.
         */
        post: operations["ProjectUserAccount_sendMail"];
    };
    "/auth/v1/users/{id}/password": {
        /**
         * Set the password of a user
         * @description Ends every session with its access tokens and voids mailed links that sign in or set a password. A mail notifies the user. The address stays as verified or unverified as it was.
         */
        put: operations["ProjectUserAccount_setPassword"];
        /**
         * Remove the password of a user
         * @description As setting it, but the user can sign in again only by a magic link or a recovery. Repeating it changes nothing.
         */
        delete: operations["ProjectUserAccount_removePassword"];
    };
    "/auth/v1/users/{id}/sessions": {
        /** Live sessions of a user, newest first */
        get: operations["ProjectUserSessions_list"];
        /**
         * End all sessions of a user
         * @description Every instance refuses their access tokens within a second. The user can sign in again.
         */
        delete: operations["ProjectUserSessions_endAll"];
    };
    "/auth/v1/users/{id}/sessions/{session_id}": {
        /**
         * End a session of a user
         * @description Every instance refuses its access tokens within a second.
         */
        delete: operations["ProjectUserSessions_end"];
    };
    "/auth/v1/users/import": {
        /**
         * Import users of another system
         * @description As `POST /admin/v1/users/import`, for this project alone and in bodies of at most 256 KiB. Lines need no `project`.
         */
        post: operations["ProjectImports_import"];
    };
    "/auth/v1/verify": {
        /** Sign in with the token of a magic link */
        post: operations["ProjectMailFlows_verify"];
    };
    "/console/session/project": {
        /**
         * Open a project in the console by its service key
         * @description For the pages of the console alone. The cookie keeps the key, sealed, for a reload.
         */
        post: operations["ProjectConsole_open"];
    };
}
export interface components {
    schemas: {
        AcceptedInvitationDto: {
            org: components["schemas"]["OrganizationDto"];
            /** @description For an account that was created, or whose earlier sessions ended because its address was proven. */
            session?: components["schemas"]["SessionDto"];
            user: components["schemas"]["UserDto"];
        };
        AcceptInvitationBody: {
            /**
             * Format: password
             * @description The new password of the account, if the address has none or the invitation is the first to prove it.
             * @example correct horse battery
             */
            password?: string | null;
            /** @description From the link of the invitation. */
            token: string;
        };
        ActiveKeyDto: {
            kid: string;
        };
        AddedPasskeyDto: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            last_used_at: string | null;
            name: string;
            /** @description With the first factor; shown this once. */
            recovery_codes?: string[];
            /** @enum {string} */
            type: "totp" | "passkey";
        };
        AddPasskeyBody: {
            /** @description What `navigator.credentials.create` returned, as JSON: `RegistrationResponseJSON` of WebAuthn. */
            credential: {
                [key: string]: unknown;
            };
            /** @example Phone */
            name: string;
        };
        AddressChangeDto: {
            /**
             * Format: email
             * @description The address that the link was sent to.
             */
            email: string;
            /**
             * Format: date-time
             * @description Until when the link is good: 24 hours.
             */
            expires_at: string;
        };
        ApiKeyDto: {
            /** Format: date-time */
            created_at: string;
            /** @description Id of the user, or of the API key, that created it. */
            created_by: string;
            /**
             * @description The address of that user, or the name of that key; null when it no longer exists.
             * @example ada@example.com
             */
            creator_name: string | null;
            /** @enum {string} */
            creator_type: "user" | "api_key";
            /** Format: date-time */
            expires_at: string | null;
            /** @example 4fGk29Qz */
            id: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            last_used_at: string | null;
            /** @example Nightly export */
            name: string;
            /**
             * @example [
             *       "data:orders:read"
             *     ]
             */
            permissions: string[];
            /**
             * @description The first characters of the key, which identify it.
             * @example svc_4fGk29Qz
             */
            prefix: string;
            /** Format: date-time */
            revoked_at: string | null;
        };
        AuditActorDto: {
            id: string | null;
            /**
             * @description The address of a user, or the name of an API key, as it is now; null if it is gone or has none.
             * @example ada@example.com
             */
            name: string | null;
            /** @enum {string} */
            type: "user" | "api_key" | "project_key" | "run" | "operator" | "system" | "anonymous";
        };
        AuditEntryDto: {
            /** @example member.role_changed */
            action: string;
            actor: components["schemas"]["AuditActorDto"];
            /** Format: date-time */
            at: string;
            /** @description What the entry says of values before and after: one value, or an object with a member for each that changed. Null for entries that are no change of a value. */
            change: components["schemas"]["NullableAuditChangeDto"];
            details: {
                [key: string]: unknown;
            };
            /** @description SHA-256 of the previous hash and this entry, in hex. */
            hash: string;
            /** Format: uuid */
            id: string;
            ip: string | null;
            /** Format: uuid */
            org_id: string | null;
            /** @description Hash of the entry before it in the chain: SHA-256, in hex. */
            prev_hash: string;
            target: components["schemas"]["NullableAuditTargetDto"];
            user_agent: string | null;
        };
        AuditVerificationDto: {
            /** @description The first place where the chain does not hold. */
            broken: components["schemas"]["NullableBrokenPlaceDto"];
            /** @description The entries that were verified; with `too_long`, all there are. */
            entries: number;
            /**
             * @description `too_long`: the trail has more than 200,000 entries; an operator verifies it with `servicectl audit verify`.
             * @enum {string}
             */
            state: "intact" | "broken" | "too_long";
        };
        AuthenticatorSelectionDto: {
            /** @enum {boolean} */
            requireResidentKey: true;
            /** @enum {string} */
            residentKey: "required";
            /** @enum {string} */
            userVerification: "required";
        };
        BatchBody: {
            items: components["schemas"]["BatchItemDto"][];
        };
        BatchItemDto: {
            /** @description How long to wait first. */
            delay_ms?: number;
            /** @description What the header `Idempotency-Key` is for a single trigger. */
            idempotency_key?: string;
            /**
             * @description The handler's request body; `{}` when absent.
             * @example {
             *       "name": "Ada"
             *     }
             */
            payload?: {
                [key: string]: unknown;
            };
            /**
             * @description Which of the organization's waiting runs go first: the higher, the sooner. That of the job when absent.
             * @example 10
             */
            priority?: number;
            /**
             * Format: date-time
             * @description The instant to wait for, instead of `delay_ms`: at most a year ahead. An instant that has passed means now.
             * @example 2026-01-31T12:00:00Z
             */
            run_at?: string;
        };
        BatchRunsDto: {
            /** @description One for each item, in the same order. */
            runs: components["schemas"]["RunDto"][];
        };
        BrandBody: {
            /**
             * @description Colour of buttons. Text on it is black or white, and links take a shade of it that can be read.
             * @example #0842a0
             */
            color?: string | null;
            /**
             * Format: uri
             * @description Image that mail programs and browsers load; shown 40 px high.
             * @example https://www.example.com/logo.png
             */
            logo_url?: string | null;
            /**
             * @description Name of the product, as users know it.
             * @example Acme
             */
            name?: string | null;
            /**
             * @description Where users find help.
             * @example https://www.example.com/help
             */
            support_url?: string | null;
        };
        BrandDto: {
            /** @example #0842a0 */
            color: string | null;
            /** @example https://www.example.com/logo.png */
            logo_url: string | null;
            /** @example Acme */
            name: string | null;
            /** @example https://www.example.com/help */
            support_url: string | null;
        };
        BulkFilterDto: {
            /** @description With this `error.code`, or one of these. */
            error_code?: string;
            /** @description That called this handler, or one of these. Examines a part of the runs for each page. */
            handler?: string;
            /** @description Triggered with this `Idempotency-Key`, which is known for 24 hours. */
            idempotency_key?: string;
            /** @description Of this job, or one of these, also when it is deleted. */
            job_id?: string;
            /** @description Took at least so many milliseconds from the first start to the end. Examines a part of the runs for each page. */
            min_duration_ms?: number;
            /** @description That the handler of this run triggered, or of one of these, also when that run is deleted. */
            parent_run_id?: string;
            /**
             * @description A JSON object that the payload contains, as PostgreSQL's `@>` has it. It has no NUL, no half of a surrogate pair and no number that `jsonb` cannot hold.
             * @example {
             *       "customer": {
             *         "id": 42
             *       }
             *     }
             */
            payload?: {
                [key: string]: unknown;
            };
            /** @description `false`: that no other run retries which the caller may see; `true`: that one does. Examines a part of the runs for each page. */
            retried?: boolean;
            /** @description That retry this run, or one of these. */
            retry_of?: string;
            /**
             * Format: date-time
             * @description Made at this instant or later.
             */
            since?: string;
            /** @description In this status, or one of these: `failed,cancelled`. */
            status?: string;
            /** @description What set the run going: one or several kinds. */
            trigger?: string;
            /**
             * Format: date-time
             * @description Made before this instant.
             */
            until?: string;
        };
        BulkRunsBody: {
            /** @enum {string} */
            action: "retry" | "cancel";
            /**
             * @description Only counts the runs that match.
             * @default false
             */
            dry_run?: boolean;
            /** @description The filters of the list of runs. Without any, all runs that the action can happen to. */
            filter: components["schemas"]["BulkFilterDto"];
        };
        BulkRunsDto: {
            /**
             * Format: date-time
             * @description Of a dry run, when it looked. As `filter.until`, it leaves out runs that were made since.
             */
            at?: string;
            /**
             * @description How many runs match.
             * @example 128
             */
            matched: number;
            /**
             * Format: uuid
             * @description Absent of a dry run, and where no run matches.
             */
            operation_id?: string;
        };
        CalendarEntryDto: {
            /**
             * Format: date-time
             * @example 2026-03-29T01:00:00.000Z
             */
            at: string;
            /** @example report */
            job_id: string;
            /**
             * @description The same instant in the time zone of the schedule, with the offset in force then.
             * @example 2026-03-29T03:00:00+02:00
             */
            local_time: string;
            /** @description Whether the schedule fires again before `until`; `per_trigger` left that out. */
            more: boolean;
            /** @description Whether the job is paused now; a paused job does not fire. */
            paused: boolean;
            /** @example 30 2 * * * */
            schedule: string;
            /** @example Europe/Berlin */
            timezone: string;
            /**
             * @description Index within the job's triggers.
             * @example 0
             */
            trigger: number;
        };
        CapabilitiesDto: {
            /** @enum {string} */
            auth: "ok" | "degraded" | "down";
            /**
             * @description `ok` when a scheduler ticks, Redis answers and a worker lives, wherever they run.
             * @enum {string}
             */
            jobs: "ok" | "degraded" | "down";
        };
        ChangeProjectBody: {
            /**
             * @description All of the hosts from now on.
             * @example [
             *       "auth.acme.example.com"
             *     ]
             */
            hosts?: string[];
            /**
             * @description One line of visible text, without links and e-mail addresses.
             * @example Acme Inc.
             */
            name?: string;
            /**
             * @description All of the redirect URLs from now on.
             * @example [
             *       "https://app.acme.example.com/*"
             *     ]
             */
            redirect_urls?: string[];
        };
        ChangeSignInSettingsBody: {
            /** @description Null for those of the first host. */
            passkeys?: components["schemas"]["NullableProjectPasskeysDto"];
            /** @description Sessions that are open stay open. */
            require_second_factor?: boolean;
        };
        ChangeUserBody: {
            /** @description True ends every session of the user and refuses sign-in and access tokens. */
            disabled: boolean;
        };
        CodeGrant: {
            /**
             * @description From the URL that the page of a mail led to. Good for 60 s and one use.
             * @example p2Kd0r…
             */
            code: string;
            /**
             * @description Needed where the request that mailed the link had a `code_challenge`.
             * @example dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
             */
            code_verifier?: string;
        };
        CompleteBody: {
            /** @description The result of the run, up to 64 KiB of JSON, kept as it came. */
            result?: components["schemas"]["Json"];
        };
        ConcurrencyDto: {
            /**
             * @description Where in the payload the value is by which runs are counted.
             * @example /customer_id
             */
            key: string;
            /** @example 1 */
            limit: number;
            /**
             * @description What becomes of a further run: it waits; it ends `cancelled` (`drop_newest`); or the oldest that is running does, and it begins (`cancel_oldest`).
             * @default queue
             * @enum {string}
             */
            when_full?: "queue" | "drop_newest" | "cancel_oldest";
        };
        ConfirmedFactorDto: {
            /** @description With the first factor; shown this once. */
            recovery_codes?: string[];
        };
        ConfirmEnrolmentBody: {
            /** @example 492039 */
            code: string;
            /** @description The `enrolment.token` of the refusal of a sign-in. */
            enrolment_token: string;
        };
        ConfirmFactorBody: {
            /** @example 492039 */
            code: string;
        };
        ConsoleOptionsDto: {
            /** @description Whether the deployment has a mail server; without one, invitations are links. */
            mail_configured: boolean;
            /**
             * @description Characters that a new password has at least.
             * @example 8
             */
            password_min_length: number;
            /** @enum {string} */
            profile: "organization" | "project";
            /** @description Whether the setup code that the program showed when it started makes the first operator. */
            setup_required: boolean;
            /**
             * @description Who may create an account.
             * @enum {string}
             */
            sign_up: "open" | "invited" | "closed";
            /** @example 0.1.0 */
            version: string;
        };
        ConsoleProjectBody: {
            /** @description The service key of a project. */
            service_key: string;
        };
        ConsoleProjectDto: {
            /** Format: uuid */
            id: string;
            /** @example Initech */
            name: string;
            /** @example initech */
            ref: string;
        };
        ConsoleProjectSessionDto: {
            /** @enum {string} */
            kind: "project";
            project: components["schemas"]["ConsoleProjectDto"];
            /** @description The service key; keep it in memory alone. */
            service_key: string;
        };
        ConsoleRefreshedDto: {
            access_token?: string;
            expires_in?: number;
            factor_required?: boolean;
            /** @enum {string} */
            kind: "account" | "project";
            /** @enum {string|null} */
            operator?: "full" | "read_only" | null;
            project?: components["schemas"]["ConsoleProjectDto"];
            service_key?: string;
            user?: components["schemas"]["UserDto"];
        };
        ConsoleSessionDto: {
            /** @description Send it as `Authorization: Bearer …`; keep it in memory alone. */
            access_token: string;
            /**
             * @description Life of the access token, seconds.
             * @example 3600
             */
            expires_in: number;
            /** @description Whether the account, an operator's, must add a second factor before it may do that: `POST /auth/v1/factors/totp`. */
            factor_required: boolean;
            /** @enum {string} */
            kind: "account";
            /**
             * @description What the account may do as an operator of the deployment; null for any other account.
             * @enum {string|null}
             */
            operator: "full" | "read_only" | null;
            user: components["schemas"]["UserDto"];
        };
        ConsoleSetupBody: {
            /** @example K7QM-2XPD-94TB */
            code: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password: string;
        };
        CreateApiKeyBody: {
            /**
             * Format: date-time
             * @description In the future; without it the key lasts until it is revoked.
             */
            expires_at?: string | null;
            /** @example Nightly export */
            name: string;
            /**
             * @description `*`, or `<capability>:<resource>:<action>` with `*` in any place. Each has at most 200 characters, and all together 16000.
             * @example [
             *       "data:orders:read",
             *       "jobs:*:*"
             *     ]
             */
            permissions: string[];
        };
        CreatedApiKeyDto: {
            /** Format: date-time */
            created_at: string;
            /** @description Id of the user, or of the API key, that created it. */
            created_by: string;
            /**
             * @description The address of that user, or the name of that key; null when it no longer exists.
             * @example ada@example.com
             */
            creator_name: string | null;
            /** @enum {string} */
            creator_type: "user" | "api_key";
            /** Format: date-time */
            expires_at: string | null;
            /** @example 4fGk29Qz */
            id: string;
            /** @description The key itself. Shown here and never again. */
            key: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            last_used_at: string | null;
            /** @example Nightly export */
            name: string;
            /**
             * @example [
             *       "data:orders:read"
             *     ]
             */
            permissions: string[];
            /**
             * @description The first characters of the key, which identify it.
             * @example svc_4fGk29Qz
             */
            prefix: string;
            /** Format: date-time */
            revoked_at: string | null;
        };
        CreatedInvitationDto: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @description Whether a mail server accepted the mail with the link. */
            emailed: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: uri
             * @description If no mail was sent: the link to pass on. Only this response shows it.
             */
            link?: string;
            /** @example member */
            role: string;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "accepted" | "revoked" | "replaced" | "expired";
        };
        CreateInvitationBody: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.
             * @example https://app.example.com/welcome
             */
            redirect_to?: string;
            /**
             * @description A role of the organization.
             * @example member
             */
            role: string;
        };
        CreateOrganizationBody: {
            /**
             * @description One line of visible text, without links and e-mail addresses.
             * @example Acme Inc.
             */
            name: string;
            /** @example acme */
            slug: string;
        };
        CreateOwnedOrganizationBody: {
            /**
             * @description One line of visible text, without links and e-mail addresses.
             * @example Acme Inc.
             */
            name: string;
            /**
             * Format: email
             * @description … or by its address, which has to be verified.
             * @example ada@example.com
             */
            owner_email?: string;
            /**
             * Format: uuid
             * @description The account that owns it, by its id …
             */
            owner_id?: string;
            /** @example acme */
            slug: string;
        };
        CreateProjectBody: {
            /**
             * @description Host names whose requests are for this project, without port.
             * @example [
             *       "auth.acme.example.com"
             *     ]
             */
            hosts?: string[];
            /**
             * @description One line of visible text, without links and e-mail addresses.
             * @example Acme
             */
            name: string;
            /**
             * @description Where the pages of mails may lead. A path may end in `/*` for every path under it.
             * @example [
             *       "https://app.acme.example.com/*"
             *     ]
             */
            redirect_urls?: string[];
            /** @example acme */
            ref: string;
        };
        CreateProjectUserBody: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Language of mails and pages, as a tag of BCP 47.
             * @example pt-BR
             */
            locale?: string | null;
            /**
             * @description Sent to the new user.
             * @enum {string}
             */
            mail?: "magic_link" | "recovery";
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password?: string;
            /**
             * @description Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.
             * @example https://app.example.com/welcome
             */
            redirect_to?: string;
        };
        CreateRoleBody: {
            /** @example analyst */
            name: string;
            /**
             * @description `*`, or `<capability>:<resource>:<action>` with `*` in any place. Each has at most 200 characters, and all together 16000.
             * @example [
             *       "data:orders:read",
             *       "jobs:*:*"
             *     ]
             */
            permissions: string[];
        };
        CreateUserBody: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Language of mails and pages, as a tag of BCP 47.
             * @example pt-BR
             */
            locale?: string | null;
            /**
             * @description Sent to the new user. A recovery sets the first password.
             * @enum {string}
             */
            mail?: "verification" | "recovery";
            /**
             * @description Any JSON object.
             * @example {
             *       "name": "Ada"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password?: string;
            /**
             * @description Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.
             * @example https://app.example.com/welcome
             */
            redirect_to?: string;
        };
        CronTriggerDto: {
            /**
             * @description Whether instants that were missed by more than a minute become one run, or none.
             * @default once
             * @enum {string}
             */
            misfire?: "once" | "skip";
            /** @description What the handler gets as body; `{}` when absent. */
            payload?: {
                [key: string]: unknown;
            };
            /**
             * @description Five fields, as in Vixie cron.
             * @example *\/15 9-17 * * 1-5
             */
            schedule: string;
            /**
             * @description IANA name.
             * @default UTC
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @enum {string} */
            type: "cron";
        };
        CurrentUserDto: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @example false */
            email_verified: boolean;
            /**
             * Format: uuid
             * @example 019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11
             */
            id: string;
            /**
             * @description Absent where the user chose none.
             * @example pt-BR
             */
            locale?: string;
            /**
             * @example {
             *       "name": "Ada"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            orgs: components["schemas"]["UserOrganizationDto"][];
        };
        DataTriggerDto: {
            /**
             * @description Of updates, only those that change one of these columns.
             * @example [
             *       "status"
             *     ]
             */
            columns?: string[];
            /**
             * @example [
             *       "insert"
             *     ]
             */
            events: ("insert" | "update" | "delete")[];
            /** @example public.orders */
            table: string;
            /** @enum {string} */
            type: "data";
        };
        DebounceDto: {
            /**
             * @description Where in the payload the value is whose triggers are one run. Left out, all are.
             * @example /customer_id
             */
            key?: string;
            /**
             * @description How long it waits after the first one at most. Left out, as long as triggers keep coming.
             * @example 60000
             */
            max_ms?: number;
            /**
             * @description How long a run waits after each trigger.
             * @example 5000
             */
            period_ms: number;
        };
        DeleteUserBody: {
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password: string;
        };
        DiscoveryDto: {
            /**
             * @example [
             *       "password",
             *       "refresh_token"
             *     ]
             */
            grant_types_supported: string[];
            /**
             * @description The algorithm of access tokens. There are no ID tokens.
             * @example [
             *       "RS256"
             *     ]
             */
            id_token_signing_alg_values_supported: string[];
            /** @description The `iss` of access tokens: `identity.jwt_issuer`. */
            issuer: string;
            /**
             * Format: uri
             * @description Public keys that verify access tokens.
             */
            jwks_uri: string;
            /**
             * @description None: there is no authorization endpoint.
             * @example []
             */
            response_types_supported: string[];
            /** Format: uri */
            service_documentation: string;
            /**
             * @description A user has one `sub` for everyone.
             * @example [
             *       "public"
             *     ]
             */
            subject_types_supported: string[];
            /**
             * Format: uri
             * @description Takes JSON, not the form of OAuth.
             */
            token_endpoint: string;
            /**
             * @description Clients do not authenticate.
             * @example [
             *       "none"
             *     ]
             */
            token_endpoint_auth_methods_supported: string[];
        };
        EnrolledSessionDto: {
            /** @description JWT, EdDSA; send it as `Authorization: Bearer …`. */
            access_token: string;
            /** @description Each good for one use; shown this once. */
            recovery_codes: string[];
            /** @description Opaque and good for one use. */
            refresh_token: string;
            user: components["schemas"]["ProjectUserDto"];
        };
        EnrolmentTokenBody: {
            /** @description The `enrolment.token` of the refusal of a sign-in. */
            enrolment_token: string;
        };
        EnrolPasskeyBody: {
            /** @description What `navigator.credentials.create` returned, as JSON: `RegistrationResponseJSON` of WebAuthn. */
            credential: {
                [key: string]: unknown;
            };
            /** @description The `enrolment.token` of the refusal of a sign-in. */
            enrolment_token: string;
            /** @example Phone */
            name: string;
        };
        EnrolTotpBody: {
            /** @description The `enrolment.token` of the refusal of a sign-in. */
            enrolment_token: string;
            /** @example Phone */
            name: string;
        };
        Error: {
            error: {
                /** @description With `second_factor_required` of a sign-in: what completes it, once. */
                challenge?: {
                    /** Format: date-time */
                    expires_at: string;
                    factors: ("totp" | "passkey" | "recovery_code")[];
                    /** @description What `navigator.credentials.get` takes as `publicKey`, in JSON; where the account has passkeys. */
                    passkey_options?: {
                        [key: string]: unknown;
                    };
                    token: string;
                };
                /** @description Stable; what a program decides by. */
                code: string;
                /** @description Every problem at once, at most 100 of them. */
                details?: {
                    message: string;
                    path: string;
                }[];
                /** @description With `second_factor_required` of a sign-in in a project that demands a factor: what adds the first one, once. */
                enrolment?: {
                    /** Format: date-time */
                    expires_at: string;
                    factors: ("totp" | "passkey")[];
                    token: string;
                };
                /** @description What to do next. */
                hint?: string;
                /** @description For people; may change. */
                message: string;
                status: number;
            };
        };
        EventTriggerDto: {
            /**
             * @description How long after the event its run is due, up to a year; at once if absent.
             * @example 2592000000
             */
            after_ms?: number;
            /**
             * @description What the job is run for: once for each event and trigger. The events of users and sessions exist in projects alone.
             * @example [
             *       "run.failed"
             *     ]
             */
            events: ("run.completed" | "run.failed" | "run.cancelled" | "job.paused" | "job.resumed" | "member.added" | "member.removed" | "member.role_changed" | "role.changed" | "invitation.created" | "invitation.accepted" | "invitation.expired" | "api_key.created" | "api_key.revoked" | "secret.changed" | "user.created" | "user.verified" | "user.signed_in" | "user.disabled" | "user.deleted" | "session.reuse_detected")[];
            /**
             * @description Of the events of runs and jobs, only those that concern one of these jobs.
             * @example [
             *       "charge-card"
             *     ]
             */
            jobs?: string[];
            /** @enum {string} */
            type: "event";
            /**
             * @description With `after_ms`: an event of these about the same subject before the run is due undoes it.
             * @example [
             *       "member.added"
             *     ]
             */
            unless?: ("run.completed" | "run.failed" | "run.cancelled" | "job.paused" | "job.resumed" | "member.added" | "member.removed" | "member.role_changed" | "role.changed" | "invitation.created" | "invitation.accepted" | "invitation.expired" | "api_key.created" | "api_key.revoked" | "secret.changed" | "user.created" | "user.verified" | "user.signed_in" | "user.disabled" | "user.deleted" | "session.reuse_detected")[];
        };
        FactorDto: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            last_used_at: string | null;
            name: string;
            /** @enum {string} */
            type: "totp" | "passkey";
        };
        FactorNameBody: {
            /** @example Phone */
            name: string;
        };
        FailBody: {
            /**
             * @description What went wrong. The first 2,000 characters are kept.
             * @example the upstream API answered 500
             */
            error?: string;
            /**
             * @description Ends the run, as 422 does.
             * @default false
             */
            fatal?: boolean;
            /** @description Do not retry before, as `Retry-After` says; at most `max_ms` of the job’s backoff. */
            retry_after_ms?: number;
        };
        GrantDto: {
            /**
             * @description As the role has it, perhaps with `*`.
             * @example data:*:*
             */
            permission: string;
            /** @example analyst */
            role: string;
        };
        HandlerLineDto: {
            /** @enum {string} */
            level: "debug" | "info" | "warn" | "error";
            /** @description What exceeds 8 KiB is cut. */
            message: string;
        };
        HealthDto: {
            capabilities: components["schemas"]["CapabilitiesDto"];
            /**
             * @example {
             *       "postgres": "ok",
             *       "redis": "ok",
             *       "scheduler": "ok",
             *       "worker": "ok"
             *     }
             */
            checks: {
                [key: string]: unknown;
            };
            /**
             * @description Why PostgreSQL or Redis is down; absent when both work.
             * @example {
             *       "postgres": "takes no writes: it is a standby, or default_transaction_read_only is on"
             *     }
             */
            problems?: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "ok" | "degraded" | "down";
        };
        HeartbeatDto: {
            /**
             * Format: date-time
             * @description Until when the attempt goes on without another sign of life.
             */
            expires_at: string;
            /** @description A token like the one in the call, for other requests: it expires at `expires_at`. */
            token: string;
        };
        HookAcceptedDto: {
            /** @example run_01JB5M3V7Q8W9X0Y1Z2A3B4C5D */
            run_id: string;
        };
        ImportProblemDto: {
            /** @enum {string} */
            code: "exists" | "invitation_pending" | "invalid_line" | "invalid_field" | "unsupported_hash" | "hash_too_costly" | "unknown_organization" | "unknown_role" | "unknown_project" | "limit_reached";
            /** @description The address, where the line has one. */
            email: string | null;
            /** @description What to do. */
            hint: string;
            /** @description Of the file, from 1 on. */
            line: number;
            /** @description What is wrong. */
            message: string;
        };
        ImportReportDto: {
            /** @description Accounts that were created. */
            created: number;
            /** @description Each line that became no account, skipped ones included, in the order of the lines. */
            problems: components["schemas"]["ImportProblemDto"][];
            /** @description Lines that have to be corrected. */
            refused: number;
            /** @description Lines whose address had an account, which stays as it is. */
            skipped: number;
        };
        InstanceDto: {
            /**
             * @description Runs that it executes.
             * @example 4
             */
            at_work: number;
            /** Format: uuid */
            id: string;
            roles: ("api" | "scheduler" | "worker")[];
            /**
             * Format: date-time
             * @description The last sign of life; one comes every ten seconds.
             */
            seen_at: string;
            /** Format: date-time */
            started_at: string;
            /** @example 0.1.0 */
            version: string;
        };
        InvitationDto: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @description Whether a mail server accepted the mail with the link. */
            emailed: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /** @example member */
            role: string;
            /**
             * @example pending
             * @enum {string}
             */
            status: "pending" | "accepted" | "revoked" | "replaced" | "expired";
        };
        InvitationRequestBody: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.
             * @example https://app.example.com/welcome
             */
            redirect_to?: string;
        };
        InvitedDto: {
            /**
             * Format: date-time
             * @description Until when it can be accepted: 7 days.
             */
            expires_at: string;
            user: components["schemas"]["ProjectUserDto"];
        };
        JobChangeDto: {
            /** @enum {string} */
            change: "created" | "updated" | "unchanged" | "deleted";
            /** @example greet */
            id: string;
        };
        JobDefinitionDto: {
            /**
             * @description What its runs may do: as programs of the organization, bounded by `permissions`; or what whoever sets a run going may do as each attempt begins. A job with triggers has no caller.
             * @default service
             * @enum {string}
             */
            acts_as?: "service" | "caller";
            /** @description How many runs of this job with the same value in their payload may be in work at one time. */
            concurrency?: components["schemas"]["ConcurrencyDto"];
            /** @description Triggers that follow each other closely are one run, with the payload of the last one. */
            debounce?: components["schemas"]["DebounceDto"];
            description?: string;
            /**
             * @description Name of a deployed function; or the URL of an endpoint, which gets signed webhooks.
             * @example greet
             */
            handler: string;
            /** @example greet */
            id: string;
            /**
             * @description In a project: every signed-in user may trigger it and read the runs that they triggered.
             * @enum {string}
             */
            invocable_by?: "authenticated";
            /** @description Runs of this job that may be in work at one time, over all instances. */
            max_concurrent_runs?: number;
            /** @example Greet someone */
            name: string;
            /** @description Stops schedules, webhooks, row changes and events; left out, a pause stays as it is. */
            paused?: boolean;
            /**
             * @description All that its runs may do; everything if absent. Nobody declares what they do not hold. `*`, or `<capability>:<resource>:<action>` with `*` in any place. Each has at most 200 characters, and all together 4000.
             * @example [
             *       "data:orders:read",
             *       "jobs:*:*"
             *     ]
             */
            permissions?: string[];
            /**
             * @description Which of the organization's waiting runs go first: the higher, the sooner. 0 when absent; a trigger may give another.
             * @example 10
             */
            priority?: number;
            /** @description How many attempts of this job may begin within a time. Further ones wait. */
            rate?: components["schemas"]["RateDto"];
            /**
             * @description Days after which an ended run of this job is deleted, instead of `jobs.retention_days`.
             * @example 7
             */
            retention_days?: number;
            /**
             * @default 0
             * @example 3
             */
            retries?: number;
            retry_backoff?: components["schemas"]["RetryBackoffDto"];
            /** @description Which answers of the handler are retried, instead of all but 2xx and 422. Timeouts, and handlers that cannot be reached, are always retried. */
            retry_on?: components["schemas"]["RetryOnDto"];
            /**
             * @description Signs the calls of an endpoint, which must have one: `vault:` and the path of a secret.
             * @example vault:endpoints/acme
             */
            signing_secret?: string;
            /**
             * @description How long after it is due a run may wait for its first attempt. Later it ends `cancelled` with the error code `expired`.
             * @example 60000
             */
            start_within_ms?: number;
            /** @example 30000 */
            timeout_ms?: number;
            /**
             * @description What sets the job going besides demand.
             * @example [
             *       {
             *         "type": "cron",
             *         "schedule": "0 6 * * *",
             *         "timezone": "Europe/Berlin"
             *       }
             *     ]
             */
            triggers?: (components["schemas"]["CronTriggerDto"] | components["schemas"]["WebhookTriggerDto"] | components["schemas"]["DataTriggerDto"] | components["schemas"]["EventTriggerDto"])[];
        };
        JobDto: {
            /**
             * @description Whether its runs act as whoever sets them going.
             * @enum {string}
             */
            acts_as: "service" | "caller";
            /** @description Where the job limits the runs with the same value. */
            concurrency?: components["schemas"]["ConcurrencyDto"];
            /** Format: date-time */
            created_at: string;
            /** @description Where the job makes triggers that follow each other one run. */
            debounce?: components["schemas"]["DebounceDto"];
            description: string | null;
            /**
             * @description The name of a function, or the URL of an endpoint.
             * @example greet
             */
            handler: string;
            /** @example greet */
            id: string;
            /**
             * @description Where the job is open to every user.
             * @enum {string}
             */
            invocable_by?: "authenticated";
            /** @description The newest run, whatever its status. */
            last_run: components["schemas"]["NullableRunDto"];
            max_concurrent_runs: number | null;
            /** @example Greet someone */
            name: string;
            /**
             * Format: date-time
             * @description The next instant of any of its schedules; null without one, and while the job is paused.
             */
            next_fire_at: string | null;
            paused: boolean;
            /**
             * @description Where its runs do not have all permissions.
             * @example [
             *       "data:orders:read"
             *     ]
             */
            permissions?: string[];
            /**
             * @description Of its runs, unless their trigger gives another.
             * @example 0
             */
            priority: number;
            /** @description What its triggers no longer find, such as a table or a column that was dropped. Absent where nothing is missing. */
            problems?: components["schemas"]["TriggerProblemDto"][];
            /** @description Where the job limits how often attempts begin. */
            rate?: components["schemas"]["RateDto"];
            /**
             * @description Where the job has a retention of its own.
             * @example 7
             */
            retention_days?: number;
            /** @example 3 */
            retries: number;
            retry_backoff: components["schemas"]["RetryBackoffDto"];
            /** @description Where the job says which answers are retried. */
            retry_on?: components["schemas"]["RetryOnDto"];
            /**
             * @description Of an endpoint: what signs its calls.
             * @example vault:endpoints/acme
             */
            signing_secret?: string;
            /**
             * @description Where the runs of the job must start in time.
             * @example 60000
             */
            start_within_ms?: number;
            /** @example 30000 */
            timeout_ms: number;
            /** @description As declared. */
            triggers: (components["schemas"]["CronTriggerDto"] | components["schemas"]["WebhookTriggerDto"] | components["schemas"]["DataTriggerDto"] | components["schemas"]["EventTriggerDto"])[];
            /** Format: date-time */
            updated_at: string;
        };
        JobPatchDto: {
            /** @description A paused job lets its schedules, row changes and events pass and refuses webhooks; on demand it still runs. */
            paused: boolean;
        };
        JobQueueDto: {
            /**
             * @description Runs whose handler is being called.
             * @example 8
             */
            at_work: number;
            /**
             * @description Runs that wait for their time: triggers with a delay, and retries.
             * @example 3
             */
            delayed: number;
            /** @example greet */
            job_id: string;
            max_concurrent_runs: number | null;
            /**
             * @description How long the run that has been due longest has waited; null when none is due.
             * @example 1840
             */
            oldest_wait_ms: number | null;
            /** @description Null when the job was deleted while its runs finish. */
            paused: boolean | null;
            /**
             * @description Runs that are due and wait for an attempt.
             * @example 12
             */
            waiting: number;
        };
        JobsPatchDto: {
            /**
             * @description The jobs; all jobs if absent.
             * @example [
             *       "daily-report"
             *     ]
             */
            ids?: string[];
            /** @description A paused job lets its schedules, row changes and events pass and refuses webhooks; on demand it still runs. */
            paused: boolean;
        };
        JobWebhookDto: {
            /** @example POST */
            method: string;
            /** @example /hooks/github */
            path: string;
            /**
             * Format: date-time
             * @description When a call was refused last; of many in one second, the first.
             */
            refused_at: string | null;
            /**
             * @description The code of the error that this call got.
             * @example invalid_signature
             */
            refused_code: string | null;
        };
        /** @description Any JSON value. */
        Json: unknown;
        JwksDto: {
            /** @description Public keys (RFC 7517). */
            keys: {
                [key: string]: unknown;
            }[];
        };
        KeepStepBody: {
            /** @description What the step resulted in, up to 256 KiB of JSON, kept as it came. */
            value: components["schemas"]["Json"];
        };
        KeyOrganizationDto: {
            /** Format: uuid */
            id: string;
            /** @example Acme Inc. */
            name: string;
            /** @example acme */
            slug: string;
        };
        LogLineDto: {
            /** Format: date-time */
            at: string;
            /** @description Null before the first attempt. */
            attempt: number | null;
            job_id: string;
            /** @enum {string} */
            level: "debug" | "info" | "warn" | "error";
            message: string;
            run_id: string;
        };
        LogoutBody: {
            /** @description Identifies the session in place of an access token. */
            refresh_token?: string;
            /**
             * @default local
             * @enum {string}
             */
            scope?: "local" | "others" | "global";
        };
        MailDto: {
            /**
             * @description What the mail server answered last, code included. Links are replaced by `[link]`.
             * @example 550 5.1.1 no such mailbox
             */
            answer: string | null;
            /** @description Attempts so far, one under way included. */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Why the latest attempt failed, also where the mail server did not answer.
             * @example ESOCKET
             */
            error: string | null;
            /**
             * Format: date-time
             * @description When it was sent or given up.
             */
            finished_at: string | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "verification" | "recovery" | "magic_link" | "password_set" | "password_removed" | "factor_added" | "factor_removed" | "factors_reset" | "email_change" | "email_change_requested" | "email_changed" | "invitation";
            /**
             * Format: date-time
             * @description Null when it is finished, or being sent now.
             */
            next_attempt_at: string | null;
            /**
             * Format: uuid
             * @description In profile project, the project whose mail server sends it.
             */
            project_id: string | null;
            /**
             * @description The SMTP code of the answer.
             * @example 550
             */
            smtp_code: number | null;
            /**
             * @description `sent`: the mail server has accepted it. `failed`: it was given up.
             * @enum {string}
             */
            state: "waiting" | "sent" | "failed";
            /** @description The recipient's address. */
            to: string;
            /**
             * Format: uuid
             * @description Null for an address without an account, to which only invitations are sent.
             */
            user_id: string | null;
        };
        MailRequestBody: {
            /**
             * @description The SHA-256 of a `code_verifier` in base64url (RFC 7636, S256). The code of `redirect_to` then takes the verifier.
             * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
             */
            code_challenge?: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.
             * @example https://app.example.com/welcome
             */
            redirect_to?: string;
        };
        MailSettingsFields: {
            /**
             * @description Sender of every mail: an address, or a name and an address.
             * @example Acme <hello@acme.example>
             */
            from: string;
            /** @example smtp.example.com */
            host: string;
            /** @example 587 */
            port: number;
            /**
             * @description Encryption: demanded after connecting, from the first byte, or none.
             * @enum {string}
             */
            tls: "starttls" | "tls" | "none";
            /**
             * @description To sign in with; needs a password.
             * @example acme
             */
            user?: string;
        };
        MailTestBody: {
            /**
             * Format: email
             * @example ada@example.com
             */
            to: string;
        };
        ManagedSessionDto: {
            /**
             * Format: date-time
             * @description When the user signed in.
             */
            created_at: string;
            /** Format: uuid */
            id: string;
            /**
             * @description Client address of the sign-in.
             * @example 192.0.2.7
             */
            ip: string | null;
            /** Format: date-time */
            last_refreshed_at: string;
            /** @description Of the sign-in. */
            user_agent: string | null;
        };
        ManagedUserDto: {
            /** Format: date-time */
            created_at: string;
            disabled: boolean;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @description Whether a mail has proven the address. */
            email_verified: boolean;
            /** @description False where the user signs in only by mails. */
            has_password: boolean;
            /**
             * Format: uuid
             * @example 019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11
             */
            id: string;
            /**
             * @description Absent where the user chose none.
             * @example pt-BR
             */
            locale?: string;
        };
        ManifestDto: {
            jobs: components["schemas"]["JobDefinitionDto"][];
        };
        MemberAccessDto: {
            allowed: boolean;
            /**
             * Format: email
             * @example ben@example.com
             */
            email: string;
            /** @description The permissions of the member's role that cover it; none where the role does not. Null if the caller lacks `auth:roles:read`. */
            granted_by: components["schemas"]["GrantDto"][] | null;
            /**
             * @description The roles of the organization that grant it. Null if the caller lacks `auth:roles:read`.
             * @example [
             *       "admin",
             *       "owner"
             *     ]
             */
            granting_roles: string[] | null;
            /** @example data:orders:delete */
            permission: string;
            /**
             * @description A disabled account may do nothing, whatever its role grants.
             * @enum {string}
             */
            reason: "granted" | "not_granted" | "account_disabled";
            /** @example analyst */
            role: string;
            /** Format: uuid */
            user_id: string;
        };
        MemberDto: {
            /** @description A disabled account may do nothing, whatever its role grants. */
            disabled: boolean;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            joined_at: string;
            /** @example admin */
            role: string;
            /** Format: uuid */
            user_id: string;
        };
        NextInstantsDto: {
            /**
             * @example [
             *       "2026-01-05T05:00:00.000Z"
             *     ]
             */
            next: string[];
            /** @example 0 6 * * 1-5 */
            schedule: string;
            /** @example Europe/Berlin */
            timezone: string;
            /**
             * @description Index within the job's triggers.
             * @example 0
             */
            trigger: number;
        };
        NullableAuditChangeDto: {
            /**
             * @description Any JSON value.
             * @example admin
             */
            after: components["schemas"]["Json"];
            /**
             * @description Any JSON value.
             * @example member
             */
            before: components["schemas"]["Json"];
        } | null;
        NullableAuditTargetDto: {
            id: string;
            /** @description As it is now, of an invitation its address; null if the target is gone or has none. */
            name: string | null;
            /** @example user */
            type: string;
        } | null;
        NullableBrokenPlaceDto: {
            /**
             * Format: uuid
             * @description Null if the entry is missing.
             */
            entry_id: string | null;
            /** @description The position in the chain, from 1. */
            position: number;
            /** @example altered_body */
            problem: string;
        } | null;
        NullableNextKeyDto: {
            kid: string;
            /**
             * Format: date-time
             * @description When it starts to sign.
             */
            signs_at: string;
        } | null;
        NullableProjectPasskeysDto: {
            /**
             * @description Where passkeys are made and used; compared exactly.
             * @example [
             *       "https://app.acme.example.com"
             *     ]
             */
            origins: string[];
            /**
             * @description Domain that passkeys belong to. Another one makes all passkeys of the project useless.
             * @example acme.example.com
             */
            rp_id: string;
            /** @example Acme */
            rp_name: string;
        } | null;
        NullableRunDto: {
            /**
             * @description Who set the run going: `user:<id>`, `key:<id>`, `operator:<id>`, `run:<id>`, `cron:<position>`, `hook:<path>`, `data:<table>` or `event:<id>`; of a retry, who asked for it. To users of a project, who see only their own runs, a retry by others says no more than `key` or `operator`.
             * @example user:0f3a9c52-6f0e-4e4b-9a53-0b8f1d9c7a11
             */
            actor: string;
            /**
             * @description Calls to the handler so far.
             * @example 1
             */
            attempt: number;
            /** Format: date-time */
            completed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the next attempt may start: after the delay of the trigger or of a retry. Null unless the run is `queued` or `retrying`.
             */
            due_at: string | null;
            /**
             * @description From the first start to the end.
             * @example 84
             */
            duration_ms: number | null;
            error?: components["schemas"]["RunErrorDto"];
            /** @example run_01KAMF3VN0T7V8R0WQ2Z4Y6X8A */
            id: string;
            /** @example greet */
            job_id: string;
            /**
             * @description `retries` + 1: how many attempts may fail.
             * @example 4
             */
            max_attempts: number;
            /** @description The run whose handler triggered this one, also once that run is deleted. */
            parent_run_id?: string;
            /**
             * @description Among the waiting runs of the organization, the higher goes first.
             * @example 0
             */
            priority: number;
            /** @description The run that this one repeats. */
            retry_of?: string;
            /**
             * Format: date-time
             * @description The instant of a schedule that it stands for.
             */
            scheduled_for: string | null;
            /**
             * Format: date-time
             * @description Where the job has `start_within_ms`: if the first attempt has not begun by then, the run ends `cancelled` with the error code `expired`.
             */
            start_before?: string;
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
            trigger: components["schemas"]["RunTriggerDto"];
        } | null;
        OkDto: {
            /** @enum {boolean} */
            ok: true;
        };
        OneTimeTokenBody: {
            /**
             * @description From the link in the mail.
             * @example q3Vt0x…
             */
            token: string;
        };
        OperationDto: {
            /** @enum {string} */
            action: "retry" | "cancel";
            /** Format: date-time */
            completed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Runs dealt with, including those that failed.
             * @example 120
             */
            done: number;
            /**
             * @description How many failed, by the error code of the same request for one run.
             * @example {
             *       "job_deleted": 2
             *     }
             */
            errors: {
                [key: string]: number;
            };
            /**
             * @description Runs that could not be retried or cancelled, for example since they have ended meanwhile.
             * @example 2
             */
            failed: number;
            /** Format: uuid */
            id: string;
            /** @example 128 */
            total: number;
        };
        OperatorDto: {
            /**
             * @description Whether the operator may change anything, or read.
             * @enum {string}
             */
            access: "full" | "read_only";
            /** Format: date-time */
            added_at: string;
            /** Format: email */
            email: string;
            /** Format: uuid */
            user_id: string;
        };
        OperatorOrganizationDto: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description How many members it has. */
            members: number;
            /** @example Acme Inc. */
            name: string;
            /** @description Whether members need a second factor. */
            require_second_factor: boolean;
            /** @example acme */
            slug: string;
        };
        OperatorUserDto: {
            /** Format: date-time */
            created_at: string;
            disabled: boolean;
            /** Format: date-time */
            disabled_at: string | null;
            /** Format: email */
            email: string;
            email_verified: boolean;
            /** @description False where the user signs in only after a recovery. */
            has_password: boolean;
            /** Format: uuid */
            id: string;
            /**
             * @description Absent where the user chose none.
             * @example pt-BR
             */
            locale?: string;
            metadata: {
                [key: string]: unknown;
            };
        };
        OperatorUserOrganizationDto: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            joined_at: string;
            /** @example Acme Inc. */
            name: string;
            /** @description Whether the user owns it and no other owner can sign in: it should be handed over before they leave. */
            only_owner: boolean;
            /** @example owner */
            role: string;
            /** @example acme */
            slug: string;
        };
        OrganizationDto: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @example Acme Inc. */
            name: string;
            /** @description Whether members need a second factor. */
            require_second_factor: boolean;
            /** @example acme */
            slug: string;
        };
        PasskeyAlgorithmDto: {
            /** @description COSE: -7 is ES256, -8 EdDSA, -257 RS256. */
            alg: number;
            /** @enum {string} */
            type: "public-key";
        };
        PasskeyCreationOptionsDto: {
            /** @enum {string} */
            attestation: "none";
            authenticatorSelection: components["schemas"]["AuthenticatorSelectionDto"];
            /** @description Base64url; good for 5 minutes and one use. */
            challenge: string;
            /** @description The passkeys that the account has. */
            excludeCredentials: components["schemas"]["PasskeyDescriptorDto"][];
            pubKeyCredParams: components["schemas"]["PasskeyAlgorithmDto"][];
            rp: components["schemas"]["RelyingPartyDto"];
            /** @description Milliseconds. */
            timeout: number;
            user: components["schemas"]["PasskeyUserDto"];
        };
        PasskeyDescriptorDto: {
            /** @description The id of the credential, base64url. */
            id: string;
            transports: string[];
            /** @enum {string} */
            type: "public-key";
        };
        PasskeyGrant: {
            /** @description From `POST /auth/v1/passkeys/options`. */
            challenge_token: string;
            /** @description What `navigator.credentials.get` returned, as JSON: `AuthenticationResponseJSON` of WebAuthn. */
            credential: {
                [key: string]: unknown;
            };
        };
        PasskeyRequestOptionsDto: {
            /** @description The passkeys of the account; none where the passkey is to say whose it is. */
            allowCredentials: components["schemas"]["PasskeyDescriptorDto"][];
            /** @description Base64url; good for 5 minutes and one use. */
            challenge: string;
            /** @example example.com */
            rpId: string;
            /** @description Milliseconds. */
            timeout: number;
            /** @enum {string} */
            userVerification: "required";
        };
        PasskeySignInOptionsDto: {
            /** @description To be sent back with the credential, once and within 5 minutes. */
            challenge_token: string;
            /** Format: date-time */
            expires_at: string;
            passkey_options: components["schemas"]["PasskeyRequestOptionsDto"];
        };
        PasskeyUserDto: {
            displayName: string;
            /** @description The user handle, base64url: the id of the account, and nothing else of it. */
            id: string;
            name: string;
        };
        PasswordGrant: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password: string;
        };
        PermissionCheckBody: {
            /**
             * @description Concrete permissions, without `*`.
             * @example [
             *       "data:orders:read",
             *       "data:orders:delete"
             *     ]
             */
            permissions: string[];
        };
        PermissionCheckDto: {
            /**
             * @example {
             *       "data:orders:read": true,
             *       "data:orders:delete": false
             *     }
             */
            results: {
                [key: string]: boolean;
            };
        };
        PermissionsDto: {
            org: components["schemas"]["TenantReferenceDto"];
            /**
             * @example [
             *       "*"
             *     ]
             */
            permissions: string[];
            /**
             * @description Null for an API key.
             * @example owner
             */
            role: string | null;
        };
        PreviewBody: {
            /** @description A look to show in place of the one in use. */
            brand?: components["schemas"]["BrandBody"];
            /** @example <p><a href="{{link}}">Sign in</a></p> */
            html?: string;
            /**
             * @description Without it, `identity.default_locale`.
             * @enum {string}
             */
            locale?: "en" | "de" | "fr" | "es" | "pt" | "ja";
            /**
             * @description With `html` and `text`: a template to show in place of the one in use.
             * @example Sign in to {{brand}}
             */
            subject?: string;
            /** @example Sign in: {{link}} */
            text?: string;
        };
        PreviewDto: {
            /** @example <p><a href="{{link}}">Sign in</a></p> */
            html: string;
            /** @enum {string} */
            locale: "en" | "de" | "fr" | "es" | "pt" | "ja";
            /** @example Sign in to {{brand}} */
            subject: string;
            /** @example Sign in: {{link}} */
            text: string;
        };
        ProbeDto: {
            /** @enum {string} */
            status: "ok" | "down";
        };
        ProjectDto: {
            /** @description For browsers and apps; it is not secret. */
            anon_key: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @example [
             *       "auth.acme.example.com"
             *     ]
             */
            hosts: string[];
            /** Format: uuid */
            id: string;
            /** @example Acme */
            name: string;
            /**
             * @example [
             *       "https://app.acme.example.com/*"
             *     ]
             */
            redirect_urls: string[];
            /** @example acme */
            ref: string;
        };
        ProjectLogoutBody: {
            /** @description Identifies the session in place of an access token. */
            refresh_token?: string;
        };
        ProjectPasskeysDto: {
            /**
             * @description Where passkeys are made and used; compared exactly.
             * @example [
             *       "https://app.acme.example.com"
             *     ]
             */
            origins: string[];
            /**
             * @description Domain that passkeys belong to. Another one makes all passkeys of the project useless.
             * @example acme.example.com
             */
            rp_id: string;
            /** @example Acme */
            rp_name: string;
        };
        ProjectSessionDto: {
            /** @description JWT, EdDSA; send it as `Authorization: Bearer …`. */
            access_token: string;
            /** @description Opaque and good for one use. */
            refresh_token: string;
            user: components["schemas"]["ProjectUserDto"];
        };
        ProjectSignUpBody: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Language of mails and pages, as a tag of BCP 47.
             * @example pt-BR
             */
            locale?: string | null;
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password: string;
        };
        ProjectTokenDto: {
            /** @description JWT, EdDSA; send it as `Authorization: Bearer …`. */
            access_token: string;
            /** @description Opaque and good for one use. */
            refresh_token: string;
            /** @description Of a sign-in; a refresh answers without it. */
            user?: components["schemas"]["ProjectUserDto"];
        };
        ProjectUserDto: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: uuid
             * @example 019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11
             */
            id: string;
            /**
             * @description Absent where the user chose none.
             * @example pt-BR
             */
            locale?: string;
        };
        ProjectWithServiceKeyDto: {
            /** @description For browsers and apps; it is not secret. */
            anon_key: string;
            /** Format: date-time */
            created_at: string;
            /**
             * @example [
             *       "auth.acme.example.com"
             *     ]
             */
            hosts: string[];
            /** Format: uuid */
            id: string;
            /** @example Acme */
            name: string;
            /**
             * @example [
             *       "https://app.acme.example.com/*"
             *     ]
             */
            redirect_urls: string[];
            /** @example acme */
            ref: string;
            /** @description Has all rights in the project. Shown only when it is created or replaced. */
            service_key?: string;
        };
        PutMailSettingsBody: {
            /**
             * @description Sender of every mail: an address, or a name and an address.
             * @example Acme <hello@acme.example>
             */
            from: string;
            /** @example smtp.example.com */
            host: string;
            /** @description Never shown again. */
            password?: string;
            /** @example 587 */
            port: number;
            /**
             * @description Encryption: demanded after connecting, from the first byte, or none.
             * @enum {string}
             */
            tls: "starttls" | "tls" | "none";
            /**
             * @description To sign in with; needs a password.
             * @example acme
             */
            user?: string;
        };
        QueueDto: {
            /**
             * @description Runs whose handler is being called.
             * @example 8
             */
            at_work: number;
            /**
             * @description Runs that wait for their time: triggers with a delay, and retries.
             * @example 3
             */
            delayed: number;
            /** @description The jobs with runs that wait or are at work, the longest wait first. */
            jobs: components["schemas"]["JobQueueDto"][];
            limits: components["schemas"]["QueueLimitsDto"];
            /**
             * @description How long the run that has been due longest has waited; null when none is due.
             * @example 1840
             */
            oldest_wait_ms: number | null;
            /**
             * @description Runs that are due and wait for an attempt.
             * @example 12
             */
            waiting: number;
        };
        QueueLimitsDto: {
            /**
             * @description How many runs may be at work at a time.
             * @example 10
             */
            concurrent_runs: number;
            /**
             * @description How many accepted runs may wait for their first attempt; null without a limit.
             * @example 100000
             */
            waiting_runs: number | null;
        };
        QueueTenantDto: {
            /** Format: uuid */
            id: string;
            /**
             * @description Absent when the tenant was deleted while its runs finish.
             * @example Acme Inc.
             */
            name?: string;
            /**
             * @description Of a project.
             * @example acme
             */
            ref?: string;
            /**
             * @description Of an organization.
             * @example acme
             */
            slug?: string;
        };
        RateDto: {
            /**
             * @description Where in the payload the value is by which attempts are counted. Left out, all are.
             * @example /customer_id
             */
            key?: string;
            /** @example 10 */
            limit: number;
            /** @example 1000 */
            per_ms: number;
        };
        ReauthenticateBody: {
            /**
             * @description Of an authenticator application.
             * @example 492039
             */
            code?: string;
            /** @description Of a passkey: what `navigator.credentials.get` returned, as JSON (`AuthenticationResponseJSON` of WebAuthn). */
            credential?: {
                [key: string]: unknown;
            };
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password?: string;
            /** @example k3vq-… */
            recovery_code?: string;
        };
        RecoveryCodesDto: {
            /** @description Each good for one use; shown this once. */
            recovery_codes: string[];
        };
        RefreshTokenGrant: {
            /** @example Zb1eO3… */
            refresh_token: string;
        };
        RegisteredDto: {
            jobs: components["schemas"]["JobChangeDto"][];
        };
        RelyingPartyDto: {
            /** @example example.com */
            id: string;
            name: string;
        };
        ResendBody: {
            /**
             * @description The SHA-256 of a `code_verifier` in base64url (RFC 7636, S256). The code of `redirect_to` then takes the verifier.
             * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
             */
            code_challenge?: string;
            /**
             * @description Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.
             * @example https://app.example.com/welcome
             */
            redirect_to?: string;
        };
        RetryBackoffDto: {
            /** @example 1000 */
            initial_ms: number;
            /**
             * @description Part (0–1) by which chance may shorten a delay.
             * @default 0
             */
            jitter?: number;
            /** @example 60000 */
            max_ms: number;
            /** @example 2 */
            multiplier: number;
            /** @enum {string} */
            type: "exponential";
        };
        RetryBody: {
            /** @description What the new run gets instead of the payload of the ended one, kept as it came. An object, and the new run is yours, if the ended one was triggered on demand. */
            payload?: components["schemas"]["Json"];
        };
        RetryOnDto: {
            /**
             * @description Statuses of answers. An answer with another status than these and 2xx fails the run at once.
             * @example [
             *       429,
             *       502,
             *       503,
             *       504
             *     ]
             */
            status: number[];
        };
        RoleDto: {
            /** @description Built-in roles can be neither changed nor deleted. */
            builtin: boolean;
            /** @example analyst */
            name: string;
            /**
             * @example [
             *       "data:orders:read"
             *     ]
             */
            permissions: string[];
        };
        RoleHolderInvitationDto: {
            /**
             * Format: email
             * @example ana@example.com
             */
            email: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            id: string;
        };
        RoleHolderKeyDto: {
            /** @example 4fGk29Qz */
            id: string;
            /** @example Nightly export */
            name: string;
            /**
             * @example [
             *       "jobs:*:*"
             *     ]
             */
            permissions: string[];
        };
        RoleHolderMemberDto: {
            /**
             * Format: email
             * @example ben@example.com
             */
            email: string;
            /** Format: date-time */
            joined_at: string;
            /** Format: uuid */
            user_id: string;
        };
        RoleHoldersDto: {
            /** @example 0 */
            api_key_count: number | null;
            /** @description API keys have permissions and no role. These may do all that the role allows, at most 100. Null if the caller lacks `auth:keys:read`. */
            api_keys: components["schemas"]["RoleHolderKeyDto"][] | null;
            /** @example 0 */
            invitation_count: number;
            /** @description The newest pending invitations that grant the role, at most 100. */
            invitations: components["schemas"]["RoleHolderInvitationDto"][];
            /** @example 2 */
            member_count: number;
            /** @description The newest members with the role, at most 100. */
            members: components["schemas"]["RoleHolderMemberDto"][];
            /**
             * @description Null if the caller lacks `auth:roles:read`.
             * @example [
             *       "data:orders:read"
             *     ]
             */
            permissions: string[] | null;
            /** @example analyst */
            role: string;
        };
        RotateBody: {
            /**
             * @description For a leaked key: retires every key that has signed, so that every access token in use is refused.
             * @default false
             */
            immediate?: boolean;
        };
        RotatedDto: {
            active: components["schemas"]["ActiveKeyDto"];
            /** @description Null after an immediate rotation. */
            next: components["schemas"]["NullableNextKeyDto"];
        };
        RotateProjectKeyBody: {
            /** @enum {string} */
            key: "anon" | "service";
        };
        RunAttemptDto: {
            /** Format: date-time */
            completed_at: string | null;
            duration_ms: number | null;
            error: string | null;
            /** @example 1 */
            number: number;
            /** @enum {string|null} */
            outcome: "completed" | "failed" | "timeout" | "lost" | "interrupted" | "cancelled" | null;
            /** Format: date-time */
            started_at: string;
            /** @example 200 */
            status_code: number | null;
        };
        RunDetailsDto: {
            /**
             * @description Who set the run going: `user:<id>`, `key:<id>`, `operator:<id>`, `run:<id>`, `cron:<position>`, `hook:<path>`, `data:<table>` or `event:<id>`; of a retry, who asked for it. To users of a project, who see only their own runs, a retry by others says no more than `key` or `operator`.
             * @example user:0f3a9c52-6f0e-4e4b-9a53-0b8f1d9c7a11
             */
            actor: string;
            /**
             * @description Calls to the handler so far.
             * @example 1
             */
            attempt: number;
            attempts: components["schemas"]["RunAttemptDto"][];
            /** Format: date-time */
            completed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the next attempt may start: after the delay of the trigger or of a retry. Null unless the run is `queued` or `retrying`.
             */
            due_at: string | null;
            /**
             * @description From the first start to the end.
             * @example 84
             */
            duration_ms: number | null;
            error?: components["schemas"]["RunErrorDto"];
            /** @example run_01KAMF3VN0T7V8R0WQ2Z4Y6X8A */
            id: string;
            /** @example greet */
            job_id: string;
            /**
             * @description `retries` + 1: how many attempts may fail.
             * @example 4
             */
            max_attempts: number;
            /** @description The run whose handler triggered this one, also once that run is deleted. */
            parent_run_id?: string;
            /** @description What the handler gets as body. */
            payload: components["schemas"]["Json"];
            /**
             * @description Among the waiting runs of the organization, the higher goes first.
             * @example 0
             */
            priority: number;
            /** @description The handler's JSON answer, up to 64 KiB; null without one. */
            result: components["schemas"]["Json"];
            /** @description The run that this one repeats. */
            retry_of?: string;
            /**
             * Format: date-time
             * @description The instant of a schedule that it stands for.
             */
            scheduled_for: string | null;
            /**
             * Format: date-time
             * @description Where the job has `start_within_ms`: if the first attempt has not begun by then, the run ends `cancelled` with the error code `expired`.
             */
            start_before?: string;
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
            trigger: components["schemas"]["RunTriggerDto"];
        };
        RunDto: {
            /**
             * @description Who set the run going: `user:<id>`, `key:<id>`, `operator:<id>`, `run:<id>`, `cron:<position>`, `hook:<path>`, `data:<table>` or `event:<id>`; of a retry, who asked for it. To users of a project, who see only their own runs, a retry by others says no more than `key` or `operator`.
             * @example user:0f3a9c52-6f0e-4e4b-9a53-0b8f1d9c7a11
             */
            actor: string;
            /**
             * @description Calls to the handler so far.
             * @example 1
             */
            attempt: number;
            /** Format: date-time */
            completed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the next attempt may start: after the delay of the trigger or of a retry. Null unless the run is `queued` or `retrying`.
             */
            due_at: string | null;
            /**
             * @description From the first start to the end.
             * @example 84
             */
            duration_ms: number | null;
            error?: components["schemas"]["RunErrorDto"];
            /** @example run_01KAMF3VN0T7V8R0WQ2Z4Y6X8A */
            id: string;
            /** @example greet */
            job_id: string;
            /**
             * @description `retries` + 1: how many attempts may fail.
             * @example 4
             */
            max_attempts: number;
            /** @description The run whose handler triggered this one, also once that run is deleted. */
            parent_run_id?: string;
            /**
             * @description Among the waiting runs of the organization, the higher goes first.
             * @example 0
             */
            priority: number;
            /** @description The run that this one repeats. */
            retry_of?: string;
            /**
             * Format: date-time
             * @description The instant of a schedule that it stands for.
             */
            scheduled_for: string | null;
            /**
             * Format: date-time
             * @description Where the job has `start_within_ms`: if the first attempt has not begun by then, the run ends `cancelled` with the error code `expired`.
             */
            start_before?: string;
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
            trigger: components["schemas"]["RunTriggerDto"];
        };
        RunErrorDto: {
            /** @example handler_error */
            code: string;
            /** @example the upstream API answered 500 */
            message: string;
        };
        RunStatsPointDto: {
            /**
             * @description Runs that were accepted in the interval.
             * @example 120
             */
            accepted: number;
            /**
             * Format: date-time
             * @description The start of the interval.
             */
            at: string;
            /** @example 1 */
            cancelled: number;
            /**
             * @description Runs that ended in the interval, by status.
             * @example 117
             */
            completed: number;
            /** @example 2 */
            failed: number;
            /**
             * @description How long these took from their first start to their end, at most 4.5 % off; null without any.
             * @example 84
             */
            p50_ms: number | null;
            /** @example 310 */
            p95_ms: number | null;
            /**
             * @description How long those that ended with their first attempt had been due before it; null without any.
             * @example 12
             */
            wait_p95_ms: number | null;
        };
        RunTriggerDto: {
            /** @description Of `data`, which change of a row; of `event`, what happened. */
            event?: string | components["schemas"]["RunTriggerEventDto"];
            /** @description The API key that triggered it. */
            key_id?: string;
            /**
             * @description Of `webhook`.
             * @example POST
             */
            method?: string;
            /**
             * Format: uuid
             * @description The account of the operator who triggered it; null for `admin.token`.
             */
            operator_id?: string | null;
            /**
             * @description Of `webhook`.
             * @example /hooks/shop-order
             */
            path?: string;
            /** @description Of `cron`: index of the trigger within its job. */
            position?: number;
            /** @description The run whose handler triggered it. */
            run_id?: string;
            /**
             * @description Of `cron`.
             * @example 0 6 * * *
             */
            schedule?: string;
            /**
             * @description Of `data`.
             * @example public.orders
             */
            table?: string;
            /**
             * @description Of `cron`.
             * @example Europe/Berlin
             */
            timezone?: string;
            /** @enum {string} */
            type: "manual" | "cron" | "webhook" | "data" | "event";
            /**
             * Format: uuid
             * @description The user who triggered it.
             */
            user_id?: string;
        };
        RunTriggerEventDto: {
            /** Format: uuid */
            id: string;
            /**
             * @example run.failed
             * @enum {string}
             */
            type: "run.completed" | "run.failed" | "run.cancelled" | "job.paused" | "job.resumed" | "member.added" | "member.removed" | "member.role_changed" | "role.changed" | "invitation.created" | "invitation.accepted" | "invitation.expired" | "api_key.created" | "api_key.revoked" | "secret.changed" | "user.created" | "user.verified" | "user.signed_in" | "user.disabled" | "user.deleted" | "session.reuse_detected";
        };
        SecondFactorGrant: {
            /** @description From the refusal of the first proof. */
            challenge_token: string;
            /**
             * @description Of an authenticator application.
             * @example 492039
             */
            code?: string;
            /** @description Of a passkey: what `navigator.credentials.get` returned, as JSON (`AuthenticationResponseJSON` of WebAuthn). */
            credential?: {
                [key: string]: unknown;
            };
            /** @example k3vq-… */
            recovery_code?: string;
        };
        SecretDto: {
            /** Format: date-time */
            created_at: string;
            /** @example github/webhook */
            path: string;
            /**
             * Format: date-time
             * @description When the value was last set.
             */
            updated_at: string;
        };
        SendProjectUserMailBody: {
            /** @enum {string} */
            kind: "magic_link" | "recovery";
            /**
             * @description Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.
             * @example https://app.example.com/welcome
             */
            redirect_to?: string;
        };
        SendUserMailBody: {
            /** @enum {string} */
            kind: "verification" | "recovery";
            /**
             * @description Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.
             * @example https://app.example.com/welcome
             */
            redirect_to?: string;
        };
        SessionDto: {
            /** @description JWT, RS256; send it as `Authorization: Bearer …`. */
            access_token: string;
            /**
             * Format: date-time
             * @description When the access token expires.
             */
            expires_at: string;
            /** @description Opaque and good for one use. */
            refresh_token: string;
        };
        SetSecretBody: {
            /**
             * Format: password
             * @description At most 65536 bytes of UTF-8. What begins with `whsec_` goes on in base64.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            value: string;
        };
        SettingDto: {
            /**
             * @description Any JSON value; null if there is none.
             * @example 3600
             */
            default: components["schemas"]["Json"];
            description: string;
            /** @example auth.access_ttl_secs */
            name: string;
            secret: boolean;
            /**
             * @description `generated`: a secret that the first start with the embedded database made.
             * @enum {string}
             */
            source: "file" | "env" | "default" | "generated";
            /**
             * @description Any JSON value; null if it is not set. `••••••••` stands for a secret, and for the password and the parameters of an address.
             * @example 900
             */
            value: components["schemas"]["Json"];
            /**
             * @description The environment variable that overrides it.
             * @example SERVICE_AUTH__ACCESS_TTL_SECS
             */
            variable: string;
        };
        SetUserPasswordBody: {
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password: string;
        };
        SignedUpDto: {
            session: components["schemas"]["SessionDto"];
            user: components["schemas"]["UserDto"];
        };
        SigningKeyDto: {
            /** Format: date-time */
            active_at: string | null;
            /** @example RS256 */
            algorithm: string;
            /** Format: date-time */
            created_at: string;
            kid: string;
            /** Format: date-time */
            retired_at: string | null;
            /**
             * Format: date-time
             * @description Until when it verifies.
             */
            retires_at: string | null;
            /** Format: date-time */
            retiring_at: string | null;
            /**
             * Format: date-time
             * @description From when on it may sign.
             */
            signs_at: string;
            /** @enum {string} */
            state: "next" | "active" | "retiring" | "retired";
        };
        SigningSecretDto: {
            /**
             * @description For any library of Standard Webhooks.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        SignInSettingsDto: {
            /** @description To whom passkeys belong: set by the project, or by its first host. */
            passkeys: components["schemas"]["ProjectPasskeysDto"];
            /** @description Whether whoever has no second factor must add one to sign in. */
            require_second_factor: boolean;
        };
        SignInStatsPointDto: {
            /**
             * Format: date-time
             * @description The start of the interval.
             */
            at: string;
            /**
             * @description Sign-ins that were refused: a wrong password, a link that is not valid, a locked account.
             * @example 5
             */
            refused: number;
            /**
             * @description Sign-ins by password, magic link or recovery that succeeded. A refresh is none.
             * @example 64
             */
            signed_in: number;
            /**
             * @description Accounts that were created by signing up.
             * @example 3
             */
            signed_up: number;
            /**
             * @description Sign-ins without an answer: too many at once, an overloaded program, an internal error.
             * @example 0
             */
            unanswered: number;
        };
        SignUpBody: {
            /**
             * @description The SHA-256 of a `code_verifier` in base64url (RFC 7636, S256). The code of `redirect_to` then takes the verifier.
             * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
             */
            code_challenge?: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * @description Language of mails and pages, as a tag of BCP 47.
             * @example pt-BR
             */
            locale?: string | null;
            /**
             * @description Any JSON object; kept with the user.
             * @example {
             *       "name": "Ada"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password: string;
            /**
             * @description Where the page of the mail ends, with `?code=…` added. It has to match an entry of the list of redirect URLs.
             * @example https://app.example.com/welcome
             */
            redirect_to?: string;
        };
        StepDto: {
            /**
             * @description The attempt that did it.
             * @example 1
             */
            attempt: number;
            /** Format: date-time */
            created_at: string;
            /** @example charge the card */
            name: string;
            /** @description As the handler wrote it. */
            value: components["schemas"]["Json"];
            /**
             * @description Of the value as JSON.
             * @example 27
             */
            value_bytes: number;
        };
        StepSummaryDto: {
            /**
             * @description The attempt that did it.
             * @example 1
             */
            attempt: number;
            /** Format: date-time */
            created_at: string;
            /** @example charge the card */
            name: string;
            /**
             * @description Of the value as JSON.
             * @example 27
             */
            value_bytes: number;
        };
        TemplateBody: {
            /** @example <p><a href="{{link}}">Sign in</a></p> */
            html: string;
            /** @example Sign in to {{brand}} */
            subject: string;
            /** @example Sign in: {{link}} */
            text: string;
        };
        TemplateDto: {
            /** @description Whether it is the one that the service brings. */
            builtin: boolean;
            /** @example <p><a href="{{link}}">Sign in</a></p> */
            html: string;
            /** @example recovery */
            name: string;
            /** @example Sign in to {{brand}} */
            subject: string;
            /** @example Sign in: {{link}} */
            text: string;
        };
        TemplateListingDto: {
            /** @description Whether the languages without their own have another template than the built-in one. */
            builtin: boolean;
            /** @example recovery */
            name: string;
            /**
             * @description Languages that have a template of their own in place of the built-in one.
             * @example [
             *       "de"
             *     ]
             */
            own_locales: string[];
            /**
             * @description What the template can contain.
             * @example [
             *       "link",
             *       "email"
             *     ]
             */
            variables: string[];
        };
        TenantQueueDto: {
            /**
             * @description Runs whose handler is being called.
             * @example 8
             */
            at_work: number;
            /**
             * @description Runs that wait for their time: triggers with a delay, and retries.
             * @example 3
             */
            delayed: number;
            /** @description Runs that were accepted, and that ended, in the last 60 minutes. The queue grows where more were accepted. */
            last_hour: components["schemas"]["ThroughputDto"];
            /**
             * @description How long the run that has been due longest has waited; null when none is due.
             * @example 1840
             */
            oldest_wait_ms: number | null;
            tenant: components["schemas"]["QueueTenantDto"];
            /**
             * @description Runs that are due and wait for an attempt.
             * @example 12
             */
            waiting: number;
        };
        TenantReferenceDto: {
            /** Format: uuid */
            id: string;
            /** @example Acme Inc. */
            name: string;
            /** @example acme */
            slug: string;
        };
        ThroughputDto: {
            /** @example 240 */
            accepted: number;
            /**
             * @description Completed, failed or cancelled.
             * @example 231
             */
            ended: number;
        };
        TokenAndPasswordBody: {
            /**
             * @description Needed where the request that mailed the link had a `code_challenge`.
             * @example dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
             */
            code_verifier?: string;
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password: string;
            /**
             * @description From the link in the mail.
             * @example q3Vt0x…
             */
            token: string;
        };
        TokenAndPasswordForm: {
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password: string;
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            repeat?: string;
            token: string;
        };
        TokenDto: {
            /** @description JWT, RS256; send it as `Authorization: Bearer …`. */
            access_token: string;
            /**
             * Format: date-time
             * @description When the access token expires.
             */
            expires_at: string;
            /**
             * @description Life of the access token, seconds.
             * @example 3600
             */
            expires_in: number;
            /** @description Opaque and good for one use. */
            refresh_token: string;
            /** @example bearer */
            token_type: string;
            user: components["schemas"]["UserDto"];
        };
        TokenForm: {
            token: string;
        };
        TokenSignInBody: {
            /**
             * @description Needed where the request that mailed the link had a `code_challenge`.
             * @example dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
             */
            code_verifier?: string;
            /**
             * @description From the link in the mail.
             * @example q3Vt0x…
             */
            token: string;
        };
        TotpEnrolmentDto: {
            /** Format: uuid */
            id: string;
            /** @description The URI as a QR code: an SVG element. */
            qr_svg: string;
            /** @description Base32, for typing in; shown this once. */
            secret: string;
            /** @description `otpauth://totp/…` */
            uri: string;
        };
        TriggerBody: {
            /** @description How long to wait first. */
            delay_ms?: number;
            /**
             * @description The handler's request body; `{}` when absent.
             * @example {
             *       "name": "Ada"
             *     }
             */
            payload?: {
                [key: string]: unknown;
            };
            /**
             * @description Which of the organization's waiting runs go first: the higher, the sooner. That of the job when absent.
             * @example 10
             */
            priority?: number;
            /**
             * Format: date-time
             * @description The instant to wait for, instead of `delay_ms`: at most a year ahead. An instant that has passed means now.
             * @example 2026-01-31T12:00:00Z
             */
            run_at?: string;
        };
        TriggerProblemDto: {
            /** @example public.orders no longer has the column status: every update triggers the job */
            message: string;
            /** @example triggers[0].columns[0] */
            path: string;
        };
        UpdateMemberBody: {
            /**
             * @description A role of the organization.
             * @example admin
             */
            role: string;
        };
        UpdateOrganizationBody: {
            /**
             * @description One line of visible text, without links and e-mail addresses.
             * @example Acme Inc.
             */
            name?: string;
            /** @description Whether members whose account has no second factor are refused here. Only who has one may turn it on. */
            require_second_factor?: boolean;
            /** @example acme */
            slug?: string;
        };
        UpdateProjectUserBody: {
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            current_password?: string;
            /**
             * @description Language of mails and pages, as a tag of BCP 47; null for none.
             * @example pt-BR
             */
            locale?: string | null;
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password?: string;
        };
        UpdateRoleBody: {
            /**
             * @description `*`, or `<capability>:<resource>:<action>` with `*` in any place. Each has at most 200 characters, and all together 16000.
             * @example [
             *       "data:orders:read",
             *       "jobs:*:*"
             *     ]
             */
            permissions: string[];
        };
        UpdateUserBody: {
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            current_password?: string;
            /**
             * @description Language of mails and pages, as a tag of BCP 47; null for none.
             * @example pt-BR
             */
            locale?: string | null;
            /**
             * @description A JSON merge patch (RFC 7396): null removes a member. At most 16384 bytes are kept.
             * @example {
             *       "name": "Ada",
             *       "nickname": null
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: password
             * @description At most 1024 bytes of UTF-8.
             * @example correct horse battery
             */
            password?: string;
        };
        UserApiKeyDto: {
            /** Format: date-time */
            created_at: string;
            /** @description Id of the user, or of the API key, that created it. */
            created_by: string;
            /**
             * @description The address of that user, or the name of that key; null when it no longer exists.
             * @example ada@example.com
             */
            creator_name: string | null;
            /** @enum {string} */
            creator_type: "user" | "api_key";
            /** Format: date-time */
            expires_at: string | null;
            /** @example 4fGk29Qz */
            id: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            last_used_at: string | null;
            /** @example Nightly export */
            name: string;
            /** @description The organization that the key belongs to. */
            org: components["schemas"]["KeyOrganizationDto"];
            /**
             * @example [
             *       "data:orders:read"
             *     ]
             */
            permissions: string[];
            /**
             * @description The first characters of the key, which identify it.
             * @example svc_4fGk29Qz
             */
            prefix: string;
            /** Format: date-time */
            revoked_at: string | null;
        };
        UserDto: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @example false */
            email_verified: boolean;
            /**
             * Format: uuid
             * @example 019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11
             */
            id: string;
            /**
             * @description Absent where the user chose none.
             * @example pt-BR
             */
            locale?: string;
            /**
             * @example {
             *       "name": "Ada"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
        };
        UserOrganizationDto: {
            /** Format: uuid */
            id: string;
            /** @example Acme Inc. */
            name: string;
            /**
             * @description The caller's role there.
             * @example owner
             */
            role: string;
            /** @example acme */
            slug: string;
        };
        UserSessionDto: {
            /** Format: date-time */
            created_at: string;
            /** @description Whether it is the session that asks. */
            current: boolean;
            /** Format: uuid */
            id: string;
            /** @example 192.0.2.7 */
            ip: string | null;
            /** Format: date-time */
            last_refreshed_at: string;
            user_agent: string | null;
        };
        VerifiedDto: {
            user: components["schemas"]["UserDto"];
        };
        WebhookTriggerDto: {
            /**
             * @description Headers of the call that the handler gets, each as `X-Service-Webhook-<name>`. Headers that carry credentials, and that of the signature, are refused.
             * @example [
             *       "X-GitHub-Event"
             *     ]
             */
            forward_headers?: string[];
            /**
             * @default POST
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @example /hooks/shop-order */
            path: string;
            /** @enum {string} */
            type: "webhook";
            verify: components["schemas"]["WebhookVerificationDto"];
        };
        WebhookVerificationDto: {
            /**
             * @default sha256
             * @enum {string}
             */
            algorithm?: "sha256" | "sha1" | "sha512";
            /**
             * @default plain
             * @enum {string}
             */
            format?: "plain" | "github" | "gitlab" | "stripe" | "slack" | "standard";
            /**
             * @description Carries the signature; may be left out where the format fixes it.
             * @example X-Signature
             */
            header?: string;
            /**
             * @description Carries the id of the delivery, by which a redelivery is known.
             * @example X-Delivery-Id
             */
            id_header?: string;
            /**
             * @description A secret of the vault. Left out, the deployment’s `jobs.webhook_secret` serves.
             * @example vault:webhooks/shop
             */
            secret?: string;
            /**
             * @description How old, or how far ahead, a signed timestamp may be.
             * @default 300
             */
            tolerance_secs?: number;
            /** @enum {string} */
            type: "hmac";
        };
    };
}
export interface operations {
    OperatorAudit_list: {
        parameters: {
            query?: {
                /** @description An action; with `*` at its end, every action that begins so. */
                action?: string;
                /** @description Id of a user or API key, the address of an account, or a type: `user`, `api_key`, `project_key`, `run`, `operator`, `system`, `anonymous`. */
                actor?: string;
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
                /** @description Id of an organization or project. Without it, entries of all of them, of accounts and of the deployment. */
                org_id?: string;
                /** @description At this instant or later. */
                since?: string;
                /** @description Id or type of a target, or both with a colon between. `job:report` also finds manifests and pauses of several jobs that changed the job. */
                target?: string;
                /** @description Before this instant. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditEntryDto"][];
                };
            };
        };
    };
    OperatorAudit_export: {
        parameters: {
            query?: {
                /** @description An action; with `*` at its end, every action that begins so. */
                action?: string;
                /** @description Id of a user or API key, the address of an account, or a type: `user`, `api_key`, `project_key`, `run`, `operator`, `system`, `anonymous`. */
                actor?: string;
                format?: "ndjson" | "csv";
                /** @description Id of an organization or project. Without it, entries of all of them, of accounts and of the deployment. */
                org_id?: string;
                /** @description At this instant or later. */
                since?: string;
                /** @description Id or type of a target, or both with a colon between. `job:report` also finds manifests and pauses of several jobs that changed the job. */
                target?: string;
                /** @description Before this instant. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    Instances_list: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InstanceDto"][];
                };
            };
        };
    };
    OperatorOutbox_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
                /** @description Requested at this instant or later. */
                since?: string;
                state?: "waiting" | "sent" | "failed";
                /** @description The recipient's address, or how it begins. */
                to?: string;
                /** @description Requested before this instant. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MailDto"][];
                };
            };
        };
    };
    OperatorOutbox_retry: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["MailDto"];
                };
            };
        };
    };
    Operators_list: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorDto"][];
                };
            };
        };
    };
    OperatorQueue_list: {
        parameters: {
            query?: {
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TenantQueueDto"][];
                };
            };
        };
    };
    Settings_list: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SettingDto"][];
                };
            };
        };
    };
    SignInStats_list: {
        parameters: {
            query?: {
                /** @description The length of an interval, in UTC. */
                interval?: "5m" | "1h" | "1d";
                /** @description From this instant on, at most 1440 intervals before `until`; 60 intervals before it when absent. */
                since?: string;
                /** @description Before this instant; now when absent. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInStatsPointDto"][];
                };
            };
        };
    };
    OperatorImports_import: {
        parameters: {
            query?: {
                /** @description The number that the first line of the body has in the whole file. Problems are numbered from it. */
                first_line?: number;
            };
        };
        /** @description At most 1000 lines, each a JSON object. */
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportReportDto"];
                };
            };
        };
    };
    ConsoleSession_signIn: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordGrant"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConsoleSessionDto"];
                };
            };
        };
    };
    ConsoleSession_signOut: {
        responses: {
            204: {};
        };
    };
    ConsoleOptions_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConsoleOptionsDto"];
                };
            };
        };
    };
    ConsoleSession_signInByPasskey: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyGrant"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConsoleSessionDto"];
                };
            };
        };
    };
    ConsoleSession_passkeyOptions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeySignInOptionsDto"];
                };
            };
        };
    };
    ConsoleSession_refresh: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConsoleRefreshedDto"];
                };
            };
        };
    };
    ConsoleSession_completeSignIn: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorGrant"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConsoleSessionDto"];
                };
            };
        };
    };
    ConsoleSession_setUp: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleSetupBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConsoleSessionDto"];
                };
            };
        };
    };
    Health_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HealthDto"];
                };
            };
        };
    };
    Health_live: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProbeDto"];
                };
            };
        };
    };
    Health_ready: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProbeDto"];
                };
            };
        };
    };
    Hooks_callByGet: {
        parameters: {
            query?: {
                /** @description Any parameters; the payload of a call without a body. */
                query?: {
                    [key: string]: string;
                };
            };
            path: {
                name: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["HookAcceptedDto"];
                };
            };
        };
    };
    Hooks_callByPut: {
        parameters: {
            query?: {
                /** @description Any parameters; the payload of a call without a body. */
                query?: {
                    [key: string]: string;
                };
            };
            path: {
                name: string;
            };
        };
        /** @description Any JSON, or a form. */
        requestBody?: {
            content: {
                "*/*": components["schemas"]["Json"];
                "application/json": components["schemas"]["Json"];
                "application/x-www-form-urlencoded": components["schemas"]["Json"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["HookAcceptedDto"];
                };
            };
        };
    };
    Hooks_callByPost: {
        parameters: {
            query?: {
                /** @description Any parameters; the payload of a call without a body. */
                query?: {
                    [key: string]: string;
                };
            };
            path: {
                name: string;
            };
        };
        /** @description Any JSON, or a form. */
        requestBody?: {
            content: {
                "*/*": components["schemas"]["Json"];
                "application/json": components["schemas"]["Json"];
                "application/x-www-form-urlencoded": components["schemas"]["Json"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["HookAcceptedDto"];
                };
            };
        };
    };
    Hooks_callByDelete: {
        parameters: {
            query?: {
                /** @description Any parameters; the payload of a call without a body. */
                query?: {
                    [key: string]: string;
                };
            };
            path: {
                name: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["HookAcceptedDto"];
                };
            };
        };
    };
    Hooks_callByPatch: {
        parameters: {
            query?: {
                /** @description Any parameters; the payload of a call without a body. */
                query?: {
                    [key: string]: string;
                };
            };
            path: {
                name: string;
            };
        };
        /** @description Any JSON, or a form. */
        requestBody?: {
            content: {
                "*/*": components["schemas"]["Json"];
                "application/json": components["schemas"]["Json"];
                "application/x-www-form-urlencoded": components["schemas"]["Json"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["HookAcceptedDto"];
                };
            };
        };
    };
    Definitions_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobDto"][];
                };
            };
        };
    };
    Definitions_register: {
        parameters: {
            query?: {
                /** @description Answers what would change, or why it is refused, and changes nothing. */
                dry_run?: boolean;
                /** @description Deletes the jobs that the manifest does not name. */
                prune?: boolean;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManifestDto"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RegisteredDto"];
                };
            };
        };
    };
    Definitions_pauseAll: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobsPatchDto"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RegisteredDto"];
                };
            };
        };
    };
    Definitions_show: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobDto"];
                };
            };
        };
    };
    Definitions_delete: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    Definitions_pause: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobPatchDto"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobDto"];
                };
            };
        };
    };
    NextInstants_list: {
        parameters: {
            query?: {
                count?: number;
                /** @description The instants after this one; now when absent. */
                from?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["NextInstantsDto"][];
                };
            };
        };
    };
    Triggers_trigger: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TriggerBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["RunDto"];
                };
            };
        };
    };
    Triggers_triggerBatch: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["BatchRunsDto"];
                };
            };
        };
    };
    JobWebhooks_list: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobWebhookDto"][];
                };
            };
        };
    };
    Logs_ofAll: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /** @description Answers Server-Sent Events that go on; `Last-Event-ID` resumes after the line of that id. */
                follow?: boolean;
                job_id?: string;
                /** @description The lowest that is shown. */
                level?: "debug" | "info" | "warn" | "error";
                limit?: number;
                /** @description Oldest line first (`asc`) or newest line first (`desc`). A `cursor` goes with the order of its list. */
                order?: "asc" | "desc";
                /** @description Lines of this instant and later. */
                since?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LogLineDto"][];
                    "text/event-stream": string;
                };
            };
        };
    };
    Operations_show: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperationDto"];
                };
            };
        };
    };
    QueueState_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueueDto"];
                };
            };
        };
    };
    Runs_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /** @description With this `error.code`, or one of these. */
                error_code?: string;
                /** @description That called this handler, or one of these. Examines a part of the runs for each page. */
                handler?: string;
                /** @description Triggered with this `Idempotency-Key`, which is known for 24 hours. */
                idempotency_key?: string;
                /** @description Of this job, or one of these, also when it is deleted. */
                job_id?: string;
                limit?: number;
                /** @description Took at least so many milliseconds from the first start to the end. Examines a part of the runs for each page. */
                min_duration_ms?: number;
                /** @description That the handler of this run triggered, or of one of these, also when that run is deleted. */
                parent_run_id?: string;
                /** @description A JSON object that the payload contains, as PostgreSQL's `@>` has it. It has no NUL, no half of a surrogate pair and no number that `jsonb` cannot hold. Examines a part of the runs for each page. */
                payload?: string;
                /** @description `false`: that no other run retries which the caller may see; `true`: that one does. Examines a part of the runs for each page. */
                retried?: boolean;
                /** @description That retry this run, or one of these. */
                retry_of?: string;
                /** @description Made at this instant or later. */
                since?: string;
                /** @description The newest, the last started or the longest first. The orders `started_at` and `duration` leave out runs without a value and sort the newest 10,000 runs that match; `since` and `until` select others. */
                sort?: "created_at" | "started_at" | "duration";
                /** @description In this status, or one of these: `failed,cancelled`. */
                status?: string;
                /** @description What set the run going: one or several kinds. */
                trigger?: string;
                /** @description Made before this instant. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RunDto"][];
                };
            };
        };
    };
    Runs_show: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RunDetailsDto"];
                };
            };
        };
    };
    AttemptReports_complete: {
        parameters: {
            path: {
                id: string;
                number: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompleteBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RunDto"];
                };
            };
        };
    };
    AttemptReports_fail: {
        parameters: {
            path: {
                id: string;
                number: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FailBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RunDto"];
                };
            };
        };
    };
    AttemptReports_heartbeat: {
        parameters: {
            path: {
                id: string;
                number: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HeartbeatDto"];
                };
            };
        };
    };
    AttemptReports_log: {
        parameters: {
            path: {
                id: string;
                number: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HandlerLineDto"][];
            };
        };
        responses: {
            204: {};
        };
    };
    Runs_cancel: {
        parameters: {
            query?: {
                /** @description Also ends the runs that it triggered, and those that these triggered. */
                children?: boolean;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RunDto"];
                };
            };
        };
    };
    Logs_ofRun: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /** @description Answers Server-Sent Events that go on; `Last-Event-ID` resumes after the line of that id. */
                follow?: boolean;
                /** @description The lowest that is shown. */
                level?: "debug" | "info" | "warn" | "error";
                limit?: number;
                /** @description Oldest line first (`asc`) or newest line first (`desc`). A `cursor` goes with the order of its list. */
                order?: "asc" | "desc";
                /** @description Lines of this instant and later. */
                since?: string;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LogLineDto"][];
                    "text/event-stream": string;
                };
            };
        };
    };
    Runs_retry: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["RunDto"];
                };
            };
        };
    };
    Steps_list: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StepSummaryDto"][];
                };
            };
        };
    };
    Steps_show: {
        parameters: {
            path: {
                id: string;
                /** @description Names the step within the run, such as `charge the card`. */
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StepDto"];
                };
            };
        };
    };
    Steps_keep: {
        parameters: {
            path: {
                id: string;
                /** @description Names the step within the run, such as `charge the card`. */
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeepStepBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StepDto"];
                };
            };
        };
    };
    Operations_begin: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkRunsBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["BulkRunsDto"];
                };
            };
        };
    };
    Calendar_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /** @description Of this job alone. */
                job_id?: string;
                limit?: number;
                /** @description At most so many instants of each schedule on a page, so that one that fires often hides no other. The next page begins after the last instant of this one: what was left out before that is on no page. */
                per_trigger?: number;
                /** @description From this instant on; now when absent. */
                since?: string;
                /** @description Before this instant, at most 366 days after `since`; 7 days after it when absent. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CalendarEntryDto"][];
                };
            };
        };
    };
    SigningSecret_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SigningSecretDto"];
                };
            };
        };
    };
    SigningSecret_rotate: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SigningSecretDto"];
                };
            };
        };
    };
    RunStats_list: {
        parameters: {
            query?: {
                /** @description The length of an interval, in UTC. */
                interval?: "1m" | "5m" | "1h" | "1d";
                /** @description Of this job, also when it is deleted. */
                job_id?: string;
                /** @description From this instant on, at most 1440 intervals before `until`; 60 intervals before it when absent. */
                since?: string;
                /** @description Before this instant; now when absent. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RunStatsPointDto"][];
                };
            };
        };
    };
    Metrics_index: {
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    Jwks_showWellKnown: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JwksDto"];
                };
            };
        };
    };
    Jwks_discover: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DiscoveryDto"];
                };
            };
        };
    };
    OperatorBrand_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BrandDto"];
                };
            };
        };
    };
    OperatorBrand_test: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailTestBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorOrganizations_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
                /** @description How words of the slug and of the name begin: `nor tra` finds "Northwind Traders". Single Latin letters and digits are ignored; alone, they find nothing. */
                search?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorOrganizationDto"][];
                };
            };
        };
    };
    OperatorOrganizations_create: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOwnedOrganizationBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["OperatorOrganizationDto"];
                };
            };
        };
    };
    OperatorOrganizations_show: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorOrganizationDto"];
                };
            };
        };
    };
    OperatorOrganizations_delete: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorOrganizations_update: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OrganizationDto"];
                };
            };
        };
    };
    OperatorMembers_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberDto"][];
                };
            };
        };
    };
    OperatorMembers_put: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberDto"];
                };
            };
        };
    };
    OperatorMembers_remove: {
        parameters: {
            query?: {
                /** @description Also revokes the API keys in force that the member made there, and those that these made. */
                revoke_keys?: boolean;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
                user_id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    SigningKeyOperator_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SigningKeyDto"][];
                };
            };
        };
    };
    SigningKeyOperator_rotate: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["RotatedDto"];
                };
            };
        };
    };
    OperatorTemplates_list: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateListingDto"][];
                };
            };
        };
    };
    OperatorTemplates_show: {
        parameters: {
            query?: {
                /** @description The language of the template; without it, the template for languages without their own. */
                locale?: "en" | "de" | "fr" | "es" | "pt" | "ja";
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateDto"];
                };
            };
        };
    };
    OperatorTemplates_put: {
        parameters: {
            query?: {
                /** @description The language of the template; without it, the template for languages without their own. */
                locale?: "en" | "de" | "fr" | "es" | "pt" | "ja";
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateDto"];
                };
            };
        };
    };
    OperatorTemplates_reset: {
        parameters: {
            query?: {
                /** @description The language of the template; without it, the template for languages without their own. */
                locale?: "en" | "de" | "fr" | "es" | "pt" | "ja";
            };
            path: {
                name: string;
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorTemplates_preview: {
        parameters: {
            path: {
                name: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PreviewDto"];
                };
            };
        };
    };
    OperatorUsers_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /** @description An address, or how it begins. */
                email?: string;
                limit?: number;
                /** @description How words of the address and of the first 200 characters of `metadata.name` begin: `lovel exam` finds `ada.lovelace@example.com`. Single Latin letters and digits are ignored; alone, they find nothing. */
                search?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorUserDto"][];
                };
            };
        };
    };
    OperatorUsers_create: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["OperatorUserDto"];
                };
            };
        };
    };
    OperatorUsers_show: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorUserDto"];
                };
            };
        };
    };
    OperatorUsers_change: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeUserBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorUserDto"];
                };
            };
        };
    };
    OperatorApiKeys_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UserApiKeyDto"][];
                };
            };
        };
    };
    OperatorApiKeys_revoke: {
        parameters: {
            path: {
                id: string;
                key_id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorUserAudit_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditEntryDto"][];
                };
            };
        };
    };
    OperatorUserAccount_listFactors: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FactorDto"][];
                };
            };
        };
    };
    OperatorUserAccount_resetFactors: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorUserAccount_sendMail: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendUserMailBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorUserOrganizations_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorUserOrganizationDto"][];
                };
            };
        };
    };
    OperatorUserAccount_setPassword: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUserPasswordBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorUserAccount_removePassword: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorUserSessions_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ManagedSessionDto"][];
                };
            };
        };
    };
    OperatorUserSessions_endAll: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorUserSessions_end: {
        parameters: {
            path: {
                id: string;
                session_id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    Factors_list: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FactorDto"][];
                };
            };
        };
    };
    Factors_remove: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    Factors_rename: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorNameBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FactorDto"];
                };
            };
        };
    };
    Factors_addPasskey: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPasskeyBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AddedPasskeyDto"];
                };
            };
        };
    };
    Factors_passkeyOptions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptionsDto"];
                };
            };
        };
    };
    Factors_renewCodes: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecoveryCodesDto"];
                };
            };
        };
    };
    Factors_add: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorNameBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TotpEnrolmentDto"];
                };
            };
        };
    };
    Factors_confirm: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmFactorBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConfirmedFactorDto"];
                };
            };
        };
    };
    Gate_ask_get: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
        };
        responses: {
            200: {};
            204: {};
        };
    };
    Gate_ask_put: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
        };
        responses: {
            200: {};
            204: {};
        };
    };
    Gate_ask_post: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
        };
        responses: {
            200: {};
            204: {};
        };
    };
    Gate_ask_delete: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
        };
        responses: {
            200: {};
            204: {};
        };
    };
    Gate_ask_options: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
        };
        responses: {
            200: {};
            204: {};
        };
    };
    Gate_ask_patch: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
        };
        responses: {
            200: {};
            204: {};
        };
    };
    Gate_askByPath_get: {
        parameters: {
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
        };
        responses: {
            200: {};
        };
    };
    Gate_askByPath_put: {
        parameters: {
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
        };
        responses: {
            200: {};
        };
    };
    Gate_askByPath_post: {
        parameters: {
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
        };
        responses: {
            200: {};
        };
    };
    Gate_askByPath_delete: {
        parameters: {
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
        };
        responses: {
            200: {};
        };
    };
    Gate_askByPath_options: {
        parameters: {
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
        };
        responses: {
            200: {};
        };
    };
    Gate_askByPath_patch: {
        parameters: {
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
        };
        responses: {
            200: {};
        };
    };
    InvitationAcceptance_accept: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AcceptedInvitationDto"];
                };
            };
        };
    };
    Jwks_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JwksDto"];
                };
            };
        };
    };
    Logout_logOut: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LogoutBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    Organizations_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OrganizationDto"][];
                };
            };
        };
    };
    Organizations_create: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["OrganizationDto"];
                };
            };
        };
    };
    Organizations_show: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OrganizationDto"];
                };
            };
        };
    };
    Organizations_delete: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            204: {};
        };
    };
    Organizations_update: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OrganizationDto"];
                };
            };
        };
    };
    ApiKeys_list: {
        parameters: {
            query?: {
                /** @description Id of the user, or of the API key, that created them. */
                created_by?: string;
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApiKeyDto"][];
                };
            };
        };
    };
    ApiKeys_create: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedApiKeyDto"];
                };
            };
        };
    };
    ApiKeys_revoke: {
        parameters: {
            path: {
                id: string;
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            204: {};
        };
    };
    OrganizationAudit_list: {
        parameters: {
            query?: {
                /** @description An action; with `*` at its end, every action that begins so. */
                action?: string;
                /** @description Id of a user or API key, the address of an account, or a type: `user`, `api_key`, `project_key`, `run`, `operator`, `system`, `anonymous`. */
                actor?: string;
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
                /** @description At this instant or later. */
                since?: string;
                /** @description Id or type of a target, or both with a colon between. `job:report` also finds manifests and pauses of several jobs that changed the job. */
                target?: string;
                /** @description Before this instant. */
                until?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditEntryDto"][];
                };
            };
        };
    };
    OrganizationAudit_export: {
        parameters: {
            query?: {
                /** @description An action; with `*` at its end, every action that begins so. */
                action?: string;
                /** @description Id of a user or API key, the address of an account, or a type: `user`, `api_key`, `project_key`, `run`, `operator`, `system`, `anonymous`. */
                actor?: string;
                format?: "ndjson" | "csv";
                /** @description At this instant or later. */
                since?: string;
                /** @description Id or type of a target, or both with a colon between. `job:report` also finds manifests and pauses of several jobs that changed the job. */
                target?: string;
                /** @description Before this instant. */
                until?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    OrganizationAudit_verify: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditVerificationDto"];
                };
            };
        };
    };
    Invitations_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InvitationDto"][];
                };
            };
        };
    };
    Invitations_create: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedInvitationDto"];
                };
            };
        };
    };
    Invitations_revoke: {
        parameters: {
            path: {
                id: string;
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            204: {};
        };
    };
    Members_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberDto"][];
                };
            };
        };
    };
    Members_remove: {
        parameters: {
            query?: {
                /** @description Also revokes the API keys in force that the member made, and those that these made. Requires `auth:keys:delete`, and every permission of the keys. */
                revoke_keys?: boolean;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
                user_id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    Members_update: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
                user_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberDto"];
                };
            };
        };
    };
    MemberAccess_explain: {
        parameters: {
            query: {
                /** @description `<capability>:<resource>:<action>`, without `*`. */
                permission: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
                user_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberAccessDto"];
                };
            };
        };
    };
    Roles_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RoleDto"][];
                };
            };
        };
    };
    Roles_create: {
        parameters: {
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRoleBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["RoleDto"];
                };
            };
        };
    };
    Roles_show: {
        parameters: {
            path: {
                name: string;
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RoleDto"];
                };
            };
        };
    };
    Roles_delete: {
        parameters: {
            path: {
                name: string;
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            204: {};
        };
    };
    Roles_update: {
        parameters: {
            path: {
                name: string;
                /** @description Organization id or slug. */
                org: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRoleBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RoleDto"];
                };
            };
        };
    };
    RoleHolders_list: {
        parameters: {
            path: {
                name: string;
                /** @description Organization id or slug. */
                org: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RoleHoldersDto"];
                };
            };
        };
    };
    Pages_changeEmail: {
        parameters: {
            query: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_submitChangeEmail: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_invitation: {
        parameters: {
            query: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_submitInvitation: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenAndPasswordForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_sendNewLink: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_recover: {
        parameters: {
            query: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_submitRecover: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenAndPasswordForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_verify: {
        parameters: {
            query: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_submitVerify: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Session_passkeyOptions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeySignInOptionsDto"];
                };
            };
        };
    };
    Organizations_permissions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PermissionsDto"];
                };
            };
        };
    };
    PermissionChecks_check: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PermissionCheckBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PermissionCheckDto"];
                };
            };
        };
    };
    Factors_reauthenticate: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReauthenticateBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    Factors_reauthenticationOptions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptionsDto"];
                };
            };
        };
    };
    MailFlows_recover: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailRequestBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    MailFlows_completeRecovery: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenAndPasswordBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TokenDto"];
                };
            };
        };
    };
    OwnSessions_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UserSessionDto"][];
                };
            };
        };
    };
    OwnSessions_revoke: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    Session_signUp: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["SignedUpDto"];
                };
            };
        };
    };
    Session_token: {
        parameters: {
            query: {
                grant_type: "password" | "refresh_token" | "second_factor" | "passkey" | "code";
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordGrant"] | components["schemas"]["RefreshTokenGrant"] | components["schemas"]["SecondFactorGrant"] | components["schemas"]["PasskeyGrant"] | components["schemas"]["CodeGrant"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TokenDto"];
                };
            };
        };
    };
    Profile_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CurrentUserDto"];
                };
            };
        };
    };
    Profile_delete: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteUserBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    Profile_update: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateUserBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CurrentUserDto"];
                };
            };
        };
    };
    Profile_audit: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditEntryDto"][];
                };
            };
        };
    };
    Email_request: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailRequestBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["AddressChangeDto"];
                };
            };
        };
    };
    Email_complete: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["OneTimeTokenBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    MailFlows_verify: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["OneTimeTokenBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["VerifiedDto"];
                };
            };
        };
    };
    MailFlows_resend: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResendBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectJwks_showWellKnown: {
        parameters: {
            query?: {
                /** @description Names the project, for callers that use none of its hosts. */
                ref?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JwksDto"];
                };
            };
        };
    };
    ProjectJwks_discover: {
        parameters: {
            query?: {
                /** @description Names the project, for callers that use none of its hosts. */
                ref?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DiscoveryDto"];
                };
            };
        };
    };
    OperatorProjects_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
                /** @description How words of the ref and of the name begin: `nor tra` finds "Northwind Traders". Single Latin letters and digits are ignored; alone, they find nothing. */
                search?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectDto"][];
                };
            };
        };
    };
    OperatorProjects_create: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ProjectWithServiceKeyDto"];
                };
            };
        };
    };
    OperatorProjects_show: {
        parameters: {
            path: {
                ref: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectDto"];
                };
            };
        };
    };
    OperatorProjects_delete: {
        parameters: {
            path: {
                ref: string;
            };
        };
        responses: {
            204: {};
        };
    };
    OperatorProjects_change: {
        parameters: {
            path: {
                ref: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeProjectBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectDto"];
                };
            };
        };
    };
    OperatorProjects_rotate: {
        parameters: {
            path: {
                ref: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateProjectKeyBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectWithServiceKeyDto"];
                };
            };
        };
    };
    ProjectAudit_list: {
        parameters: {
            query?: {
                /** @description An action; with `*` at its end, every action that begins so. */
                action?: string;
                /** @description Id of a user or API key, the address of an account, or a type: `user`, `api_key`, `project_key`, `run`, `operator`, `system`, `anonymous`. */
                actor?: string;
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
                /** @description At this instant or later. */
                since?: string;
                /** @description Id or type of a target, or both with a colon between. `job:report` also finds manifests and pauses of several jobs that changed the job. */
                target?: string;
                /** @description Before this instant. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditEntryDto"][];
                };
            };
        };
    };
    ProjectAudit_export: {
        parameters: {
            query?: {
                /** @description An action; with `*` at its end, every action that begins so. */
                action?: string;
                /** @description Id of a user or API key, the address of an account, or a type: `user`, `api_key`, `project_key`, `run`, `operator`, `system`, `anonymous`. */
                actor?: string;
                format?: "ndjson" | "csv";
                /** @description At this instant or later. */
                since?: string;
                /** @description Id or type of a target, or both with a colon between. `job:report` also finds manifests and pauses of several jobs that changed the job. */
                target?: string;
                /** @description Before this instant. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    ProjectAudit_verify: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditVerificationDto"];
                };
            };
        };
    };
    Brand_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BrandDto"];
                };
            };
        };
    };
    Brand_put: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BrandBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BrandDto"];
                };
            };
        };
    };
    Enrolment_addPasskey: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolPasskeyBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EnrolledSessionDto"];
                };
            };
        };
    };
    Enrolment_passkeyOptions: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolmentTokenBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptionsDto"];
                };
            };
        };
    };
    Enrolment_beginTotp: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolTotpBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TotpEnrolmentDto"];
                };
            };
        };
    };
    Enrolment_confirmTotp: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEnrolmentBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EnrolledSessionDto"];
                };
            };
        };
    };
    ProjectFactors_list: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FactorDto"][];
                };
            };
        };
    };
    ProjectFactors_remove: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectFactors_rename: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorNameBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FactorDto"];
                };
            };
        };
    };
    ProjectFactors_addPasskey: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPasskeyBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AddedPasskeyDto"];
                };
            };
        };
    };
    ProjectFactors_passkeyOptions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptionsDto"];
                };
            };
        };
    };
    ProjectFactors_renewCodes: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecoveryCodesDto"];
                };
            };
        };
    };
    ProjectFactors_add: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorNameBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TotpEnrolmentDto"];
                };
            };
        };
    };
    ProjectFactors_confirm: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmFactorBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConfirmedFactorDto"];
                };
            };
        };
    };
    ProjectInvitations_invite: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationRequestBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["InvitedDto"];
                };
            };
        };
    };
    ProjectInvitations_accept: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenAndPasswordBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectSessionDto"];
                };
            };
        };
    };
    ProjectJwks_show: {
        parameters: {
            query?: {
                /** @description Names the project, for callers that use none of its hosts. */
                ref?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JwksDto"];
                };
            };
        };
    };
    ProjectSession_logOut: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProjectLogoutBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectMailFlows_requestMagicLink: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailRequestBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OkDto"];
                };
            };
        };
    };
    MailSettings_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MailSettingsFields"];
                };
            };
        };
    };
    MailSettings_put: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutMailSettingsBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MailSettingsFields"];
                };
            };
        };
    };
    MailSettings_delete: {
        responses: {
            204: {};
        };
    };
    ProjectOutbox_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
                /** @description Requested at this instant or later. */
                since?: string;
                state?: "waiting" | "sent" | "failed";
                /** @description The recipient's address, or how it begins. */
                to?: string;
                /** @description Requested before this instant. */
                until?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MailDto"][];
                };
            };
        };
    };
    ProjectOutbox_retry: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["MailDto"];
                };
            };
        };
    };
    MailSettings_test: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailTestBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectPages_changeEmail: {
        parameters: {
            query: {
                token: string;
            };
            path: {
                ref: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_submitChangeEmail: {
        parameters: {
            path: {
                ref: string;
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_invite: {
        parameters: {
            query: {
                token: string;
            };
            path: {
                ref: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_submitInvite: {
        parameters: {
            path: {
                ref: string;
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenAndPasswordForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_magicLink: {
        parameters: {
            query: {
                token: string;
            };
            path: {
                ref: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_submitMagicLink: {
        parameters: {
            path: {
                ref: string;
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_sendNewLink: {
        parameters: {
            path: {
                ref: string;
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_recover: {
        parameters: {
            query: {
                token: string;
            };
            path: {
                ref: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_submitRecover: {
        parameters: {
            path: {
                ref: string;
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenAndPasswordForm"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectSession_passkeyOptions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeySignInOptionsDto"];
                };
            };
        };
    };
    ProjectFactors_reauthenticate: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReauthenticateBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectFactors_reauthenticationOptions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptionsDto"];
                };
            };
        };
    };
    ProjectMailFlows_recover: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailRequestBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OkDto"];
                };
            };
        };
    };
    ProjectMailFlows_completeRecovery: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenAndPasswordBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectSessionDto"];
                };
            };
        };
    };
    ProjectOwnSessions_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UserSessionDto"][];
                };
            };
        };
    };
    ProjectSession_endOthers: {
        responses: {
            204: {};
        };
    };
    ProjectOwnSessions_revoke: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    SignInSettings_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInSettingsDto"];
                };
            };
        };
    };
    SignInSettings_change: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeSignInSettingsBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInSettingsDto"];
                };
            };
        };
    };
    ProjectSession_signUp: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectSignUpBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ProjectSessionDto"];
                };
            };
        };
    };
    Templates_list: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateListingDto"][];
                };
            };
        };
    };
    Templates_show: {
        parameters: {
            query?: {
                /** @description The language of the template; without it, the template for languages without their own. */
                locale?: "en" | "de" | "fr" | "es" | "pt" | "ja";
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateDto"];
                };
            };
        };
    };
    Templates_put: {
        parameters: {
            query?: {
                /** @description The language of the template; without it, the template for languages without their own. */
                locale?: "en" | "de" | "fr" | "es" | "pt" | "ja";
            };
            path: {
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TemplateDto"];
                };
            };
        };
    };
    Templates_reset: {
        parameters: {
            query?: {
                /** @description The language of the template; without it, the template for languages without their own. */
                locale?: "en" | "de" | "fr" | "es" | "pt" | "ja";
            };
            path: {
                name: string;
            };
        };
        responses: {
            204: {};
        };
    };
    Templates_preview: {
        parameters: {
            path: {
                name: string;
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PreviewDto"];
                };
            };
        };
    };
    ProjectSession_token: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordGrant"] | components["schemas"]["RefreshTokenGrant"] | components["schemas"]["SecondFactorGrant"] | components["schemas"]["PasskeyGrant"] | components["schemas"]["CodeGrant"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectTokenDto"];
                };
            };
        };
    };
    ProjectAccount_show: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectUserDto"];
                };
            };
        };
    };
    ProjectAccount_update: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProjectUserBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectUserDto"];
                };
            };
        };
    };
    ProjectEmail_request: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailRequestBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["AddressChangeDto"];
                };
            };
        };
    };
    ProjectEmail_complete: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["OneTimeTokenBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectUsers_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /** @description An address, or how it begins. */
                email?: string;
                limit?: number;
                /** @description How words of the address and of the first 200 characters of `metadata.name` begin: `lovel exam` finds `ada.lovelace@example.com`. Single Latin letters and digits are ignored; alone, they find nothing. */
                search?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ManagedUserDto"][];
                };
            };
        };
    };
    ProjectUsers_create: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectUserBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ManagedUserDto"];
                };
            };
        };
    };
    ProjectUsers_show: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ManagedUserDto"];
                };
            };
        };
    };
    ProjectUsers_delete: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectUsers_change: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeUserBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ManagedUserDto"];
                };
            };
        };
    };
    ProjectUserAudit_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditEntryDto"][];
                };
            };
        };
    };
    ProjectUserAccount_listFactors: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FactorDto"][];
                };
            };
        };
    };
    ProjectUserAccount_resetFactors: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectUserAccount_sendMail: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendProjectUserMailBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectUserAccount_setPassword: {
        parameters: {
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUserPasswordBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectUserAccount_removePassword: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectUserSessions_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ManagedSessionDto"][];
                };
            };
        };
    };
    ProjectUserSessions_endAll: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectUserSessions_end: {
        parameters: {
            path: {
                id: string;
                session_id: string;
            };
        };
        responses: {
            204: {};
        };
    };
    ProjectImports_import: {
        parameters: {
            query?: {
                /** @description The number that the first line of the body has in the whole file. Problems are numbered from it. */
                first_line?: number;
            };
        };
        /** @description At most 1000 lines, each a JSON object. */
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportReportDto"];
                };
            };
        };
    };
    ProjectMailFlows_verify: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenSignInBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectSessionDto"];
                };
            };
        };
    };
    ProjectConsole_open: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsoleProjectBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConsoleProjectSessionDto"];
                };
            };
        };
    };
    Vault_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SecretDto"][];
                };
            };
        };
    };
    Vault_show: {
        parameters: {
            path: {
                /** @description Name of the secret, which may have slashes: `github/webhook`. */
                path: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SecretDto"];
                };
            };
        };
    };
    Vault_set: {
        parameters: {
            path: {
                /** @description Name of the secret, which may have slashes: `github/webhook`. */
                path: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetSecretBody"];
            };
        };
        responses: {
            204: {};
        };
    };
    Vault_delete: {
        parameters: {
            path: {
                /** @description Name of the secret, which may have slashes: `github/webhook`. */
                path: string;
            };
        };
        responses: {
            204: {};
        };
    };
}
/** What a refusal of the service can say. */
export type ErrorCode =
    | "bad_request"
    | "invalid_json"
    | "validation_failed"
    | "repeated_header"
    | "not_found"
    | "method_not_allowed"
    | "request_timeout"
    | "payload_too_large"
    | "uri_too_long"
    | "misdirected_request"
    | "rate_limited"
    | "unsupported_media_type"
    | "headers_too_large"
    | "internal_error"
    | "unavailable"
    | "overloaded"
    | "unauthenticated"
    | "invalid_access_token"
    | "invalid_api_key"
    | "invalid_admin_token"
    | "invalid_credentials"
    | "invalid_refresh_token"
    | "refresh_token_reused"
    | "second_factor_required"
    | "invalid_challenge"
    | "invalid_second_factor"
    | "invalid_passkey"
    | "passkey_taken"
    | "reauthentication_required"
    | "factor_not_found"
    | "factor_required"
    | "session_revoked"
    | "unsupported_grant_type"
    | "user_required"
    | "wrong_password"
    | "invalid_token"
    | "invalid_code"
    | "user_not_found"
    | "mail_not_found"
    | "mail_not_repeatable"
    | "session_not_found"
    | "email_taken"
    | "weak_password"
    | "sign_up_closed"
    | "email_already_verified"
    | "user_disabled"
    | "email_not_verified"
    | "run_token_not_allowed"
    | "operator_read_only"
    | "cross_site_request"
    | "setup_closed"
    | "invalid_setup_code"
    | "limit_reached"
    | "org_required"
    | "org_mismatch"
    | "not_a_member"
    | "permission_denied"
    | "permission_not_held"
    | "org_not_found"
    | "member_not_found"
    | "role_not_found"
    | "invitation_not_found"
    | "key_outlives_maker"
    | "key_not_found"
    | "unknown_role"
    | "role_exists"
    | "role_in_use"
    | "builtin_role"
    | "last_owner"
    | "already_member"
    | "sign_in_required"
    | "wrong_account"
    | "role_deleted"
    | "invitation_void"
    | "slug_taken"
    | "secret_not_found"
    | "secret_in_use"
    | "mail_not_configured"
    | "mail_failed"
    | "mail_settings_not_found"
    | "template_not_found"
    | "project_required"
    | "project_mismatch"
    | "project_key_required"
    | "project_not_found"
    | "ref_taken"
    | "host_taken"
    | "job_not_found"
    | "hook_not_found"
    | "hook_path_taken"
    | "invalid_signature"
    | "job_paused"
    | "run_not_found"
    | "step_not_found"
    | "run_unfinished"
    | "job_deleted"
    | "run_finished"
    | "run_token_required"
    | "attempt_ended"
    | "run_cancelled"
    | "idempotency_mismatch"
    | "search_too_long"
    | "too_many_runs"
    | "operation_not_found"
    | "table_busy";
