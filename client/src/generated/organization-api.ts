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
         * Public keys that verify access tokens, where verifiers look for them
         * @description The same as `GET /auth/v1/keys`.
         */
        get: operations["Jwks_showWellKnown"];
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
         * Who issues access tokens, and where their keys are
         * @description For verifiers that find keys by OpenID Connect Discovery or RFC 8414. They demand that the issuer is the URL before `/.well-known`: set `identity.jwt_issuer` and `identity.public_url` to it.
         */
        get: operations["Jwks_discover"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Organizations, newest first */
        get: operations["OperatorOrganizations_list"];
        put?: never;
        /** Create an organization for an account, which owns it */
        post: operations["OperatorOrganizations_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/signing-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signing keys and their states, newest first */
        get: operations["SigningKeyOperator_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/signing-keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing key
         * @description Publishes the next key, which signs after `identity.key_publish_lead_secs`; while one waits, answers that one.
         */
        post: operations["SigningKeyOperator_rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Users, newest first */
        get: operations["OperatorUsers_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A user */
        get: operations["OperatorUsers_show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Disable or enable a user */
        patch: operations["OperatorUsers_change"];
        trace?: never;
    };
    "/auth/v1/gate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        head?: never;
        /**
         * For a reverse proxy's auth sub-request: may the caller do this?
         * @description Answers in the status alone, and says in headers who is calling. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        patch: operations["Gate_ask_patch"];
        trace?: never;
    };
    "/auth/v1/gate/{permission}/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        head?: never;
        /**
         * The same for a proxy that appends the path of the request to that of the gate, as Envoy does
         * @description What follows the permission, and the query, are those of the request, and are not looked at. The method is that of the request that the proxy asks about, or any other; a body is not read. A missing or malformed permission is 400, which a proxy turns into an error of its own: a gate that asks for nothing must not be mistaken for a closed one.
         */
        patch: operations["Gate_askByPath_patch"];
        trace?: never;
    };
    "/auth/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description With a password where the invited address has no account yet: it makes one and signs it in. Else with the access token of its account. An invitation that was mailed, and whose link no answer has shown, proves the address: an account that had not proven it loses its password, sessions and access tokens and is handed over with a new `session`, for which a `password` does as well as the access token.
         */
        post: operations["InvitationAcceptance_accept"];
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
        /** Public keys that verify access tokens */
        get: operations["Jwks_show"];
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
         * End this session, the other ones, or all
         * @description By access token, or by `refresh_token` in the body, whose session counts when both are sent. An unknown refresh token is answered with 204 as well, and so is a session that has ended, with `local`; it ends no other one. Access tokens live on until they expire.
         */
        post: operations["UserSessions_logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's organizations, newest first */
        get: operations["Organizations_list"];
        put?: never;
        /**
         * Create an organization and own it
         * @description Where `identity.organization_creation` is `operator`, the operator alone does: `POST /admin/v1/orgs`.
         */
        post: operations["Organizations_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/orgs/{org}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An organization, named by id, slug or former slug */
        get: operations["Organizations_show"];
        put?: never;
        post?: never;
        /**
         * Delete an organization with all that belongs to it
         * @description Members, roles, invitations, API keys and jobs go; audit entries stay. There is no way back.
         *
         *     Needs the permission `auth:orgs:delete`.
         */
        delete: operations["Organizations_delete"];
        options?: never;
        head?: never;
        /**
         * Rename an organization, or change its slug
         * @description The old slug leads to the organization for 30 days more, and nobody else can take it.
         *
         *     Needs the permission `auth:orgs:update`.
         */
        patch: operations["Organizations_update"];
        trace?: never;
    };
    "/auth/v1/orgs/{org}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * API keys of the organization, newest first
         * @description Revoked and expired keys stay in the list.
         *
         *     Needs the permission `auth:keys:read`.
         */
        get: operations["ApiKeys_list"];
        put?: never;
        /**
         * Make an API key
         * @description The key belongs to the organization and outlives its maker. It is shown in this answer only; present it as `Authorization: Bearer svc_…` or `X-API-Key`. A key that is made by a key expires no later than that one.
         *
         *     Needs the permission `auth:keys:create`.
         */
        post: operations["ApiKeys_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/orgs/{org}/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The caller must hold every permission of the key. It is refused everywhere within a second. Revoking it again changes nothing.
         *
         *     Needs the permission `auth:keys:delete`.
         */
        delete: operations["ApiKeys_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/orgs/{org}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organization's audit trail, newest first
         * @description Needs the permission `auth:audit:read`.
         */
        get: operations["Audit_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/orgs/{org}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Invitations, whatever became of them, newest first
         * @description Needs the permission `auth:members:read`.
         */
        get: operations["Invitations_list"];
        put?: never;
        /**
         * Invite an address
         * @description The caller must hold every permission of the role. Inviting an address again replaces its pending invitation. The invitation can be accepted for 7 days. Mails are limited by recipient and by organization (`limits.mail_interval_secs`, `limits.mails_per_recipient`, `limits.mails_per_sender`).
         *
         *     Needs the permission `auth:members:invite`.
         */
        post: operations["Invitations_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/orgs/{org}/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a pending invitation; its link is dead
         * @description Needs the permission `auth:members:invite`.
         */
        delete: operations["Invitations_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/orgs/{org}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Members, newest first
         * @description Needs the permission `auth:members:read`.
         */
        get: operations["Members_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/orgs/{org}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a member out, or leave
         * @description Needs the permission `auth:members:delete`, but anyone may take themself out.
         */
        delete: operations["Members_remove"];
        options?: never;
        head?: never;
        /**
         * Give a member another role
         * @description The caller must hold every permission of the role the member has and of the one to be given.
         *
         *     Needs the permission `auth:members:update`.
         */
        patch: operations["Members_update"];
        trace?: never;
    };
    "/auth/v1/orgs/{org}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Roles, newest first; the built-in ones are the oldest
         * @description Needs the permission `auth:roles:read`.
         */
        get: operations["Roles_list"];
        put?: never;
        /**
         * Make a role
         * @description The caller must hold every permission in it.
         *
         *     Needs the permission `auth:roles:create`.
         */
        post: operations["Roles_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/orgs/{org}/roles/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A role
         * @description Needs the permission `auth:roles:read`.
         */
        get: operations["Roles_show"];
        put?: never;
        post?: never;
        /**
         * Delete a role that nobody has
         * @description Needs the permission `auth:roles:delete`.
         */
        delete: operations["Roles_delete"];
        options?: never;
        head?: never;
        /**
         * Change what a role allows, for all who have it
         * @description The caller must hold every permission that it has and every one that it will have.
         *
         *     Needs the permission `auth:roles:update`.
         */
        patch: operations["Roles_update"];
        trace?: never;
    };
    "/auth/v1/pages/invitation": {
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
        get: operations["Pages_invitation"];
        put?: never;
        /**
         * Page, submitted: accept an invitation
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        post: operations["Pages_submitInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/pages/recover": {
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
        get: operations["Pages_recover"];
        put?: never;
        /**
         * Page, submitted: set a new password
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        post: operations["Pages_submitRecover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/pages/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page: confirm an e-mail address
         * @description Shown any number of times; uses nothing up. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        get: operations["Pages_verify"];
        put?: never;
        /**
         * Page, submitted: confirm an e-mail address
         * @description What the page's button sends. A link that was used, replaced or has expired is answered with 400 and a page that says so.
         */
        post: operations["Pages_submitVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's effective permissions in the active organization */
        get: operations["Organizations_permissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/permissions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Which of these permissions the caller has in the active organization */
        post: operations["PermissionChecks_check"];
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
         * @description Answered alike for known and unknown addresses. One mail in 60 s for each address.
         */
        post: operations["MailFlows_recover"];
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
         * @description Ends every other session; the address counts as verified.
         */
        post: operations["MailFlows_completeRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's live sessions, newest first */
        get: operations["UserSessions_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of the caller's sessions */
        delete: operations["UserSessions_revoke"];
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
        /** Create an account and sign it in */
        post: operations["Session_signUp"];
        delete?: never;
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
         * @description A refresh token is good for one use; using it again ends the session.
         */
        post: operations["Session_token"];
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
        /** The caller's profile and organizations */
        get: operations["Profile_show"];
        put?: never;
        post?: never;
        /** Delete the caller's account, with its sessions and memberships */
        delete: operations["Profile_delete"];
        options?: never;
        head?: never;
        /**
         * Change the caller's metadata or password
         * @description A new password needs the current one, and ends every session but this.
         */
        patch: operations["Profile_update"];
        trace?: never;
    };
    "/auth/v1/user/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The audit entries of the caller's account, newest first */
        get: operations["Profile_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
        /** Prove an e-mail address with the token of a mail */
        post: operations["MailFlows_verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/v1/verify/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the verification mail again
         * @description Once in 60 s, the mail of the sign-up included; answered with 204 whether or not a mail leaves. The newest link alone works.
         */
        post: operations["MailFlows_resend"];
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
        AcceptedInvitationDto: {
            org: components["schemas"]["OrganizationDto"];
            /** @description Of an account that was made, or whose earlier sessions the proof of its address ended. */
            session?: components["schemas"]["SessionDto"];
            user: components["schemas"]["UserDto"];
        };
        AcceptInvitationBody: {
            /**
             * Format: password
             * @description Of the account from now on, where the address has none or the invitation is the first to prove it.
             * @example correct horse battery
             */
            password?: string;
            /** @description From the link of the invitation. */
            token: string;
        };
        ActiveKeyDto: {
            kid: string;
        };
        ApiKeyDto: {
            /** Format: date-time */
            created_at: string;
            /** @description Id of the user, or of the API key, that made it. */
            created_by: string;
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
             * @description How the key begins; tells which one it is.
             * @example svc_4fGk29Qz
             */
            prefix: string;
            /** Format: date-time */
            revoked_at: string | null;
        };
        AuditActorDto: {
            id: string | null;
            /** @enum {string} */
            type: "user" | "api_key" | "run" | "operator" | "system" | "anonymous";
        };
        AuditEntryDto: {
            /** @example member.role_changed */
            action: string;
            actor: components["schemas"]["AuditActorDto"];
            /** Format: date-time */
            at: string;
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
        CapabilitiesDto: {
            /** @enum {string} */
            auth: "ok" | "degraded" | "down";
            /**
             * @description `ok` when a scheduler ticks, Redis answers and a worker lives, wherever they run.
             * @enum {string}
             */
            jobs: "ok" | "degraded" | "down";
        };
        ChangeUserBody: {
            /** @description True ends every session of the user and refuses sign-in and access tokens. */
            disabled: boolean;
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
            /** @description Id of the user, or of the API key, that made it. */
            created_by: string;
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
             * @description How the key begins; tells which one it is.
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
            /** @description Whether a mail server took the mail with the link. */
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
             * @description Where no mail carries it: the link to hand over, shown this once.
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
             * @description … or by its address.
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
        InvitationDto: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @description Whether a mail server took the mail with the link. */
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
        LogoutBody: {
            /** @description Names the session, in place of an access token. */
            refresh_token?: string;
            /**
             * @default local
             * @enum {string}
             */
            scope?: "local" | "others" | "global";
        };
        ManifestDto: {
            jobs: components["schemas"]["JobDefinitionDto"][];
        };
        MemberDto: {
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
        NullableAuditTargetDto: {
            id: string;
            /** @example user */
            type: string;
        } | null;
        NullableNextKeyDto: {
            kid: string;
            /**
             * Format: date-time
             * @description When it starts to sign.
             */
            signs_at: string;
        } | null;
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
        OneTimeTokenBody: {
            /**
             * @description From the link in the mail.
             * @example q3Vt0x…
             */
            token: string;
        };
        OperatorOrganizationDto: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description How many members it has. */
            members: number;
            /** @example Acme Inc. */
            name: string;
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
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
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
            /** @example acme */
            slug: string;
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
        ProbeDto: {
            /** @enum {string} */
            status: "ok" | "down";
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
        RotateBody: {
            /**
             * @description For a leaked key: whatever has signed so far is retired now, so that every access token in use is refused.
             * @default false
             */
            immediate?: boolean;
        };
        RotatedDto: {
            active: components["schemas"]["ActiveKeyDto"];
            /** @description Null after an immediate rotation. */
            next: components["schemas"]["NullableNextKeyDto"];
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
             * @description At most 65536 bytes of UTF-8.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            value: string;
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
        SignUpBody: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
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
        };
        TenantReferenceDto: {
            /** Format: uuid */
            id: string;
            /** @example Acme Inc. */
            name: string;
            /** @example acme */
            slug: string;
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
            /** @example acme */
            slug?: string;
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
    Jwks_showWellKnown: {
        parameters: {
            query?: never;
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
    Jwks_discover: {
        parameters: {
            query?: never;
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
    OperatorOrganizations_list: {
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
                    "application/json": components["schemas"]["OperatorOrganizationDto"][];
                };
            };
        };
    };
    OperatorOrganizations_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOwnedOrganizationBody"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOrganizationDto"];
                };
            };
        };
    };
    SigningKeyOperator_list: {
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
                    "application/json": components["schemas"]["SigningKeyDto"][];
                };
            };
        };
    };
    SigningKeyOperator_rotate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateBody"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedDto"];
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
                    "application/json": components["schemas"]["OperatorUserDto"][];
                };
            };
        };
    };
    OperatorUsers_show: {
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
                    "application/json": components["schemas"]["OperatorUserDto"];
                };
            };
        };
    };
    OperatorUsers_change: {
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
                    "application/json": components["schemas"]["OperatorUserDto"];
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller may; no body. */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            204: {
                headers: {
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_ask_put: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller may; no body. */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            204: {
                headers: {
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_ask_post: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller may; no body. */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            204: {
                headers: {
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_ask_delete: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller may; no body. */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            204: {
                headers: {
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_ask_options: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller may; no body. */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            204: {
                headers: {
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_ask_patch: {
        parameters: {
            query: {
                permission: string;
                /** @description What lets the request pass, for proxies that take nothing but 200. */
                status?: "200" | "204";
            };
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller may; no body. */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            204: {
                headers: {
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_askByPath_get: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_askByPath_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_askByPath_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_askByPath_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_askByPath_options: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    Gate_askByPath_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description The path of the request. */
                path: string;
                permission: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description The caller may; no body.
             *
             *     Done; no body.
             */
            200: {
                headers: {
                    /** @description Makes Envoy remove the other headers of these, which its client may have sent. */
                    "X-Envoy-Auth-Headers-To-Remove": string;
                    /** @description The caller, where it is an API key. */
                    "X-Service-Key-Id"?: string;
                    /** @description The organization that the caller acts in. */
                    "X-Service-Org-Id": string;
                    /** @description The role of the user. */
                    "X-Service-Role"?: string;
                    /** @description The caller, where it is the handler of a run. */
                    "X-Service-Run-Id"?: string;
                    /** @description The caller, where it is a user. */
                    "X-Service-User-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    InvitationAcceptance_accept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedInvitationDto"];
                };
            };
        };
    };
    Jwks_show: {
        parameters: {
            query?: never;
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
    UserSessions_logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LogoutBody"];
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
    Organizations_list: {
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
                    "application/json": components["schemas"]["OrganizationDto"][];
                };
            };
        };
    };
    Organizations_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationBody"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDto"];
                };
            };
        };
    };
    Organizations_show: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
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
                    "application/json": components["schemas"]["OrganizationDto"];
                };
            };
        };
    };
    Organizations_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
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
    Organizations_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDto"];
                };
            };
        };
    };
    ApiKeys_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
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
                    "application/json": components["schemas"]["ApiKeyDto"][];
                };
            };
        };
    };
    ApiKeys_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKeyDto"];
                };
            };
        };
    };
    ApiKeys_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                id: string;
                /** @description Organization id or slug. */
                org: string;
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
    Audit_list: {
        parameters: {
            query?: {
                /** @description An action; with `*` at its end, every action that begins so. */
                action?: string;
                /** @description Id of a user or API key, or a type: `user`, `api_key`, `operator`, `system`, `anonymous`. */
                actor?: string;
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
                /** @description At this instant or later. */
                since?: string;
                /** @description Before this instant. */
                until?: string;
            };
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
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
                    "application/json": components["schemas"]["AuditEntryDto"][];
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
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
                    "application/json": components["schemas"]["InvitationDto"][];
                };
            };
        };
    };
    Invitations_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationBody"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitationDto"];
                };
            };
        };
    };
    Invitations_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                id: string;
                /** @description Organization id or slug. */
                org: string;
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
    Members_list: {
        parameters: {
            query?: {
                /** @description From the `Link` header of the page before. */
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
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
                    "application/json": components["schemas"]["MemberDto"][];
                };
            };
        };
    };
    Members_remove: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
                user_id: string;
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
    Members_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberDto"];
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
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
                    "application/json": components["schemas"]["RoleDto"][];
                };
            };
        };
    };
    Roles_create: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                /** @description Organization id or slug. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRoleBody"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleDto"];
                };
            };
        };
    };
    Roles_show: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                name: string;
                /** @description Organization id or slug. */
                org: string;
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
                    "application/json": components["schemas"]["RoleDto"];
                };
            };
        };
    };
    Roles_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                name: string;
                /** @description Organization id or slug. */
                org: string;
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
    Roles_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path: {
                name: string;
                /** @description Organization id or slug. */
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRoleBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleDto"];
                };
            };
        };
    };
    Pages_invitation: {
        parameters: {
            query: {
                token: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_submitInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
    Pages_recover: {
        parameters: {
            query: {
                token: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_submitRecover: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
    Pages_verify: {
        parameters: {
            query: {
                token: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    Pages_submitVerify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
    Organizations_permissions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
                    "application/json": components["schemas"]["PermissionsDto"];
                };
            };
        };
    };
    PermissionChecks_check: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PermissionCheckBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionCheckDto"];
                };
            };
        };
    };
    MailFlows_recover: {
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
            /** @description Done; no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    MailFlows_completeRecovery: {
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
                    "application/json": components["schemas"]["TokenDto"];
                };
            };
        };
    };
    UserSessions_list: {
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
                    "application/json": components["schemas"]["UserSessionDto"][];
                };
            };
        };
    };
    UserSessions_revoke: {
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
    Session_signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpBody"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUpDto"];
                };
            };
        };
    };
    Session_token: {
        parameters: {
            query: {
                grant_type: "password" | "refresh_token";
            };
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
                    "application/json": components["schemas"]["TokenDto"];
                };
            };
        };
    };
    Profile_show: {
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
                    "application/json": components["schemas"]["CurrentUserDto"];
                };
            };
        };
    };
    Profile_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteUserBody"];
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
    Profile_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateUserBody"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
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
                    "application/json": components["schemas"]["AuditEntryDto"][];
                };
            };
        };
    };
    MailFlows_verify: {
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
                    "application/json": components["schemas"]["VerifiedDto"];
                };
            };
        };
    };
    MailFlows_resend: {
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
                    "application/json": components["schemas"]["RunDto"][];
                };
            };
        };
    };
    Runs_show: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
                    "application/json": components["schemas"]["SigningSecretDto"];
                };
            };
        };
    };
    SigningSecret_rotate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
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
                    "application/json": components["schemas"]["SecretDto"][];
                };
            };
        };
    };
    Vault_show: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
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
            header?: {
                /** @description Organization id or slug; may be left out by a member of exactly one organization. */
                "X-Service-Org"?: string;
            };
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
