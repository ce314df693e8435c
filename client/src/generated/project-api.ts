// Made from /openapi.json by openapi-typescript. After a change of the API:
// UPDATE_CLIENT_TYPES=1 npm test -- test/contract/client-types
export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public key that verifies the project's tokens, where verifiers look for it
         * @description The same as `GET /auth/v1/keys`.
         */
        get: operations["ProjectJwks_showWellKnown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who issues the project's access tokens, and where their key is
         * @description For verifiers that find keys by OpenID Connect Discovery or RFC 8414. They demand that the issuer is the URL before `/.well-known`. All projects have the issuer `identity.jwt_issuer`, so it is that of one host at most.
         */
        get: operations["ProjectJwks_discover"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Projects, newest first */
        get: operations["OperatorProjects_list"];
        put?: never;
        /**
         * Make a project
         * @description The service key is in this answer and in no other. The anon key is always shown.
         */
        post: operations["OperatorProjects_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/projects/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A project */
        get: operations["OperatorProjects_show"];
        put?: never;
        post?: never;
        /**
         * Delete a project with all that belongs to it
         * @description Its users, sessions, jobs, secrets and keys go; its audit entries stay.
         */
        delete: operations["OperatorProjects_delete"];
        options?: never;
        head?: never;
        /** Change a project's name or hosts */
        patch: operations["OperatorProjects_change"];
        trace?: never;
    };
    "/admin/v1/projects/{ref}/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the anon key or the service key
         * @description The old one is refused everywhere within a second. A new service key is shown here only.
         */
        post: operations["OperatorProjects_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite an address by mail
         * @description The user exists from then on, and can sign in once the invitation is accepted. When the mail cannot be sent, or the invitation expires, the user goes again.
         */
        post: operations["ProjectInvitations_invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/invite/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation: set the password, and sign in */
        post: operations["ProjectInvitations_accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Public key that verifies the project's tokens */
        get: operations["ProjectJwks_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session
         * @description By `refresh_token` in the body, or else by access token. An unknown refresh token is answered with 204 as well. The access token lives on until it expires.
         */
        post: operations["ProjectSession_logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/magic-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a mail that signs in
         * @description Answered alike, and in the same time, whether or not the address has an account; it gets one. The link is good for 15 minutes. One mail in 60 s for each address.
         */
        post: operations["ProjectMailFlows_requestMagicLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The project's mail settings, without the password */
        get: operations["MailSettings_show"];
        /**
         * Set the project's mail settings, all of them
         * @description Without them invitations are refused, and nobody gets a magic link or a recovery mail. Servers on loopback and private networks, and ports other than 25, 465, 587 and 2525, may be named where the operator allows it (`auth.private_mail_hosts`).
         */
        put: operations["MailSettings_put"];
        post?: never;
        /** Forget the project's mail settings */
        delete: operations["MailSettings_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/mail/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test mail through the settings, now */
        post: operations["MailSettings_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/pages/{ref}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page: accept an invitation
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["ProjectPages_invite"];
        put?: never;
        /**
         * Page, submitted: accept an invitation
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        post: operations["ProjectPages_submitInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/pages/{ref}/magic-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page: sign in
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["ProjectPages_magicLink"];
        put?: never;
        /**
         * Page, submitted: sign in
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        post: operations["ProjectPages_submitMagicLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/pages/{ref}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page: set a new password
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["ProjectPages_recover"];
        put?: never;
        /**
         * Page, submitted: set a new password
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        post: operations["ProjectPages_submitRecover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a mail that leads to a new password
         * @description Answered alike, and in the same time, for known and unknown addresses. One mail in 60 s for each address.
         */
        post: operations["ProjectMailFlows_recover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/recover/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the token of a mail, and sign in
         * @description Ends every other session.
         */
        post: operations["ProjectMailFlows_completeRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account and sign it in
         * @description Where `identity.sign_up` is not `open`, with the service key alone.
         */
        post: operations["ProjectSession_signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/templates/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A mail template as it is in use */
        get: operations["Templates_show"];
        /**
         * Replace a mail template
         * @description The variables are `{{link}}`, `{{token}}`, `{{email}}` and `{{project}}`; `{{#if variable}}` and `{{#unless variable}}` take `{{else}}`. `html` and `text` must contain the link. Values are escaped in `html`.
         */
        put: operations["Templates_put"];
        post?: never;
        /** Put the built-in mail template back */
        delete: operations["Templates_reset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in, or refresh
         * @description With `email` and `password` a sign-in, which needs the anon key; with `refresh_token` alone a refresh, which answers the two tokens without `user`. A refresh token is good for one use.
         */
        post: operations["ProjectSession_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller */
        get: operations["ProjectSession_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Users of the project, newest first */
        get: operations["ProjectUsers_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A user of the project */
        get: operations["ProjectUsers_show"];
        put?: never;
        post?: never;
        /** Delete a user, with all sessions */
        delete: operations["ProjectUsers_delete"];
        options?: never;
        head?: never;
        /** Disable or enable a user */
        patch: operations["ProjectUsers_change"];
        trace?: never;
    };
    "/auth/v1/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with the token of a magic link */
        post: operations["ProjectMailFlows_verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * State of the deployment
         * @description 503, with the same body, when Postgres does not answer.
         */
        get: operations["Health_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process runs */
        get: operations["Health_live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether this instance can take traffic
         * @description 503 while it starts and while it drains.
         */
        get: operations["Health_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/hooks/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        options?: never;
        head?: never;
        /**
         * Call the hook of a job by PATCH
         * @description The trigger says which method its hook takes and how calls are signed. The run gets the JSON body, a form as an object of its fields, or without a body the query as an object. A redelivery answers the run of the first delivery.
         */
        patch: operations["Hooks_callByPatch"];
        trace?: never;
    };
    "/jobs/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jobs in the order of their ids
         * @description Needs the permission `jobs:jobs:read`.
         */
        get: operations["Definitions_list"];
        put?: never;
        /**
         * Register the jobs of a manifest
         * @description All of them or none. Registering the same manifest again changes nothing. A manifest without `paused` leaves a pause as it is.
         *
         *     Needs the permission `jobs:jobs:write`.
         */
        post: operations["Definitions_register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A job, when it fires next, and its newest run
         * @description Needs the permission `jobs:jobs:read`.
         */
        get: operations["Definitions_show"];
        put?: never;
        post?: never;
        /**
         * Delete a job
         * @description Its waiting runs are cancelled, those at work end, and its history stays.
         *
         *     Needs the permission `jobs:jobs:write`.
         */
        delete: operations["Definitions_delete"];
        options?: never;
        head?: never;
        /**
         * Pause a job, or let it go on
         * @description What its schedules, webhooks and row changes would have set going while it was paused does not follow later.
         *
         *     Needs the permission `jobs:jobs:write`.
         */
        patch: operations["Definitions_pause"];
        trace?: never;
    };
    "/jobs/v1/jobs/{id}/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When the schedules of a job fire next
         * @description One entry for each cron trigger, whether the job is paused or not.
         *
         *     Needs the permission `jobs:jobs:read`.
         */
        get: operations["NextInstants_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/jobs/{id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a job now, or after a delay
         * @description The answer means that the run is stored and will end, whatever happens to this server.
         *
         *     Needs the permission `jobs:jobs:trigger`.
         */
        post: operations["Runs_trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Logs of all runs
         * @description Oldest first; with `order=desc` newest first. With `follow=true` Server-Sent Events: each has a line as data and an id to resume from. The first, `event: start`, has an id alone. The stream begins with what is new.
         *
         *     Needs the permission `jobs:logs:read`.
         */
        get: operations["Logs_ofAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs, newest first
         * @description The filters hold together; the next page, which the `Link` header names, has the same.
         *
         *     Needs the permission `jobs:runs:read`.
         */
        get: operations["Runs_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run with its payload, result and attempts
         * @description Needs the permission `jobs:runs:read`.
         */
        get: operations["Runs_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a run that has not ended
         * @description The call to the handler is closed if one is in progress; its answer would change nothing.
         *
         *     Needs the permission `jobs:runs:cancel`.
         */
        post: operations["RunCancellation_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/runs/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a run went through, and what its handler printed
         * @description Oldest first; with `order=desc` newest first. With `follow=true` Server-Sent Events: each has a line as data and an id to resume from. The first, `event: start`, has an id alone. The stream begins with the history and closes with `event: end` when the run has ended.
         *
         *     Needs the permission `jobs:logs:read`.
         */
        get: operations["Logs_ofRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/runs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run again what has ended
         * @description Makes a new run with the same payload and trigger, and `retry_of`. Handler, time limit and retries are those that the job has now; a paused job runs too.
         *
         *     Needs the permission `jobs:jobs:trigger`.
         */
        post: operations["Runs_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/signing-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The secret with which calls to handlers are signed
         * @description Handlers verify the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` with it, by Standard Webhooks. Made when it is first needed.
         *
         *     Needs the permission `jobs:secrets:read`.
         */
        get: operations["SigningSecret_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/v1/signing-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret with which calls to handlers are signed
         * @description For 24 hours calls carry a signature of the new secret and one of the old.
         *
         *     Needs the permission `jobs:secrets:write`.
         */
        post: operations["SigningSecret_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics of this instance
         * @description In the text format of Prometheus.
         */
        get: operations["Metrics_index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Secrets, newest first, without their values
         * @description Needs the permission `jobs:secrets:read`.
         */
        get: operations["Vault_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vault/v1/secrets/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        post?: never;
        /**
         * Delete a secret that nothing names
         * @description Needs the permission `jobs:secrets:write`.
         */
        delete: operations["Vault_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        };
        ChangeUserBody: {
            /** @description True ends every session of the user and refuses sign-in and access tokens. */
            disabled: boolean;
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
            /** @example acme */
            ref: string;
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
        EmailBody: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        Error: {
            error: {
                /** @description Stable; what a program decides by. */
                code: string;
                /** @description Every problem at once, at most 100 of them. */
                details?: {
                    message: string;
                    path: string;
                }[];
                /** @description What to do next. */
                hint?: string;
                /** @description For people; may change. */
                message: string;
                status: number;
            };
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
            /** @enum {string} */
            status: "ok" | "degraded" | "down";
        };
        HookAcceptedDto: {
            /** @example run_01JB5M3V7Q8W9X0Y1Z2A3B4C5D */
            run_id: string;
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
            description?: string;
            /**
             * @description Name of a deployed function.
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
            /** @description Stops schedules, webhooks and data events; left out, a pause stays as it is. */
            paused?: boolean;
            /**
             * @default 0
             * @example 3
             */
            retries?: number;
            retry_backoff?: components["schemas"]["RetryBackoffDto"];
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
            triggers?: (components["schemas"]["CronTriggerDto"] | components["schemas"]["WebhookTriggerDto"] | components["schemas"]["DataTriggerDto"])[];
        };
        JobDto: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** @example greet */
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
            /** @example 3 */
            retries: number;
            retry_backoff: components["schemas"]["RetryBackoffDto"];
            /** @example 30000 */
            timeout_ms: number;
            /** @description As declared. */
            triggers: (components["schemas"]["CronTriggerDto"] | components["schemas"]["WebhookTriggerDto"] | components["schemas"]["DataTriggerDto"])[];
            /** Format: date-time */
            updated_at: string;
        };
        JobPatchDto: {
            /** @description A paused job lets its schedules and row changes pass and refuses webhooks; by hand it still runs. */
            paused: boolean;
        };
        /** @description Any JSON value. */
        Json: unknown;
        JwksDto: {
            /** @description Public keys (RFC 7517). */
            keys: {
                [key: string]: unknown;
            }[];
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
        MailSettingsFields: {
            /**
             * @description Sender of every mail.
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
            /**
             * Format: uuid
             * @example 019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11
             */
            id: string;
        };
        ManifestDto: {
            jobs: components["schemas"]["JobDefinitionDto"][];
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
        NullableRunDto: {
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
            /** @description The run that this one repeats. */
            retry_of?: string;
            /**
             * Format: date-time
             * @description The instant of a schedule that it stands for.
             */
            scheduled_for: string | null;
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
        ProbeDto: {
            /** @enum {string} */
            status: "ok" | "down";
        };
        ProjectDto: {
            /** @description For browsers and apps; it is no secret. */
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
            /** @example acme */
            ref: string;
        };
        ProjectLogoutBody: {
            /** @description Names the session, in place of an access token. */
            refresh_token?: string;
        };
        ProjectSessionDto: {
            /** @description JWT, EdDSA; send it as `Authorization: Bearer …`. */
            access_token: string;
            /** @description Opaque and good for one use. */
            refresh_token: string;
            user: components["schemas"]["ProjectUserDto"];
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
        };
        ProjectWithServiceKeyDto: {
            /** @description For browsers and apps; it is no secret. */
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
            /** @example acme */
            ref: string;
            /** @description May do everything in the project; shown when it is made, and never again. */
            service_key?: string;
        };
        PutMailSettingsBody: {
            /**
             * @description Sender of every mail.
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
        RefreshTokenGrant: {
            /** @example Zb1eO3… */
            refresh_token: string;
        };
        RegisteredDto: {
            jobs: components["schemas"]["JobChangeDto"][];
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
            /** @description What the handler gets as body. */
            payload: components["schemas"]["Json"];
            /** @description The handler's JSON answer, up to 64 KiB; null without one. */
            result: components["schemas"]["Json"];
            /** @description The run that this one repeats. */
            retry_of?: string;
            /**
             * Format: date-time
             * @description The instant of a schedule that it stands for.
             */
            scheduled_for: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
            trigger: components["schemas"]["RunTriggerDto"];
        };
        RunDto: {
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
            /** @description The run that this one repeats. */
            retry_of?: string;
            /**
             * Format: date-time
             * @description The instant of a schedule that it stands for.
             */
            scheduled_for: string | null;
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
        RunTriggerDto: {
            /**
             * @description Of `data`.
             * @example insert
             */
            event?: string;
            /** @description The API key that triggered it. */
            key_id?: string;
            /**
             * @description Of `webhook`.
             * @example POST
             */
            method?: string;
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
            type: "manual" | "cron" | "webhook" | "data";
            /**
             * Format: uuid
             * @description The user who triggered it.
             */
            user_id?: string;
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
        SetSecretBody: {
            /**
             * Format: password
             * @description At most 65536 bytes of UTF-8.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            value: string;
        };
        SigningSecretDto: {
            /**
             * @description For any library of Standard Webhooks.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        TemplateBody: {
            /** @example <p><a href="{{link}}">Sign in</a></p> */
            html: string;
            /** @example Sign in to {{project}} */
            subject: string;
            /** @example Sign in: {{link}} */
            text: string;
        };
        TemplateDto: {
            /** @description Whether it is the one that the service brings. */
            builtin: boolean;
            /** @example <p><a href="{{link}}">Sign in</a></p> */
            html: string;
            /** @enum {string} */
            name: "magic_link" | "recovery" | "invite";
            /** @example Sign in to {{project}} */
            subject: string;
            /** @example Sign in: {{link}} */
            text: string;
        };
        TokenAndPasswordBody: {
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
        TokenForm: {
            token: string;
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
        };
        WebhookTriggerDto: {
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
    responses: {
        /**
         * @description Any other refusal, under the status of its code.
         *
         *     `bad_request`: The request is not well-formed HTTP.
         *
         *     `invalid_json`: The body is not valid JSON, names `__proto__`, or is nested deeper than 100 levels.
         *
         *     `validation_failed`: Fields are missing, unknown or invalid; details lists each with its path.
         *
         *     `repeated_header`: A header that decides who is calling, or whom, was sent more than once.
         *
         *     `not_found`: There is nothing at this path.
         *
         *     `request_timeout`: The request did not arrive in time.
         *
         *     `payload_too_large`: The body is larger than this endpoint takes.
         *
         *     `uri_too_long`: A part of the path is longer than any name can be.
         *
         *     `unsupported_media_type`: The body must be JSON: Content-Type: application/json.
         *
         *     `misdirected_request`: The Host header names a host that this service does not serve (server.allowed_hosts).
         *
         *     `rate_limited`: Too many requests of this kind; try again after Retry-After seconds. The hint names the setting.
         *
         *     `headers_too_large`: The request headers are too large.
         *
         *     `internal_error`: Something failed on our side; the request id finds it in the log.
         *
         *     `unavailable`: The database did not answer, or this instance is shutting down; try again.
         */
        Error: {
            headers: {
                /** @description Of 429 and 503: after how many seconds to try again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other refusal: a page that says so, or the error body where the request came to no page. */
        ErrorPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ProjectJwks_showWellKnown: {
        parameters: {
            query?: {
                /** @description Names the project to who calls no host of it. */
                ref?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier answer; 304 if it is the one of now. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwksDto"];
                };
            };
        };
    };
    ProjectJwks_discover: {
        parameters: {
            query?: {
                /** @description Names the project to who calls no host of it. */
                ref?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier answer; 304 if it is the one of now. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Where there are more: `<…>; rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDto"][];
                };
            };
        };
    };
    OperatorProjects_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectBody"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectWithServiceKeyDto"];
                };
            };
        };
    };
    OperatorProjects_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDto"];
                };
            };
        };
    };
    OperatorProjects_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    OperatorProjects_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeProjectBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDto"];
                };
            };
        };
    };
    OperatorProjects_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateProjectKeyBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectWithServiceKeyDto"];
                };
            };
        };
    };
    ProjectInvitations_invite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailBody"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedDto"];
                };
            };
        };
    };
    ProjectInvitations_accept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenAndPasswordBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSessionDto"];
                };
            };
        };
    };
    ProjectJwks_show: {
        parameters: {
            query?: {
                /** @description Names the project to who calls no host of it. */
                ref?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier answer; 304 if it is the one of now. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwksDto"];
                };
            };
        };
    };
    ProjectSession_logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProjectLogoutBody"];
            };
        };
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ProjectMailFlows_requestMagicLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkDto"];
                };
            };
        };
    };
    MailSettings_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSettingsFields"];
                };
            };
        };
    };
    MailSettings_put: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutMailSettingsBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSettingsFields"];
                };
            };
        };
    };
    MailSettings_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    MailSettings_test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailTestBody"];
            };
        };
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ProjectPages_invite: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_submitInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenAndPasswordForm"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_submitMagicLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectPages_submitRecover: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenAndPasswordForm"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    ProjectMailFlows_recover: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkDto"];
                };
            };
        };
    };
    ProjectMailFlows_completeRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenAndPasswordBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSessionDto"];
                };
            };
        };
    };
    ProjectSession_signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordGrant"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSessionDto"];
                };
            };
        };
    };
    Templates_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDto"];
                };
            };
        };
    };
    Templates_put: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDto"];
                };
            };
        };
    };
    Templates_reset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ProjectSession_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordGrant"] | components["schemas"]["RefreshTokenGrant"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectTokenDto"];
                };
            };
        };
    };
    ProjectSession_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectUserDto"];
                };
            };
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
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Where there are more: `<…>; rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedUserDto"][];
                };
            };
        };
    };
    ProjectUsers_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedUserDto"];
                };
            };
        };
    };
    ProjectUsers_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ProjectUsers_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeUserBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedUserDto"];
                };
            };
        };
    };
    ProjectMailFlows_verify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OneTimeTokenBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSessionDto"];
                };
            };
        };
    };
    Health_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthDto"];
                };
            };
        };
    };
    Health_live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProbeDto"];
                };
            };
        };
    };
    Health_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
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
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
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
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
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
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Where there are more: `<…>; rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManifestDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredDto"];
                };
            };
        };
    };
    Definitions_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDto"];
                };
            };
        };
    };
    Definitions_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Definitions_pause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobPatchDto"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NextInstantsDto"][];
                };
            };
        };
    };
    Runs_trigger: {
        parameters: {
            query?: never;
            header?: {
                /** @description Repeating a request with the same key within 24 hours answers the same run. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TriggerBody"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDto"];
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
            header?: {
                /** @description With `follow`: the id of the last event that was received. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Where there are more: `<…>; rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogLineDto"][];
                    "text/event-stream": string;
                };
            };
        };
    };
    Runs_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                /** @description Of this job, also when it is deleted. */
                job_id?: string;
                limit?: number;
                /** @description Made at this instant or later. */
                since?: string;
                status?: "queued" | "running" | "retrying" | "completed" | "failed" | "cancelled";
                /** @description What set the run going. */
                trigger?: "manual" | "cron" | "webhook" | "data";
                /** @description Made before this instant. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Where there are more: `<…>; rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDto"][];
                };
            };
        };
    };
    Runs_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetailsDto"];
                };
            };
        };
    };
    RunCancellation_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
            header?: {
                /** @description With `follow`: the id of the last event that was received. */
                "Last-Event-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Where there are more: `<…>; rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogLineDto"][];
                    "text/event-stream": string;
                };
            };
        };
    };
    Runs_retry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDto"];
                };
            };
        };
    };
    SigningSecret_show: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecretDto"];
                };
            };
        };
    };
    SigningSecret_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecretDto"];
                };
            };
        };
    };
    Metrics_index: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Where there are more: `<…>; rel="next"` (RFC 8288). */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretDto"][];
                };
            };
        };
    };
    Vault_show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the secret, which may have slashes: `github/webhook`. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretDto"];
                };
            };
        };
    };
    Vault_set: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the secret, which may have slashes: `github/webhook`. */
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetSecretBody"];
            };
        };
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Vault_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the secret, which may have slashes: `github/webhook`. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
