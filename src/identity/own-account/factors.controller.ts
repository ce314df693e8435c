import { Body, Controller, Param } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentUser, Endpoint, RequestOrigin } from '../../http/index.js';
import type { Origin, UserCaller } from '../../http/index.js';
import {
  ConfirmedFactorDto,
  ConfirmFactorBody,
  FactorDto,
  FactorNameBody,
  ReauthenticateBody,
  RecoveryCodesDto,
  toFactorDto,
  TotpEnrolmentDto,
  toTotpEnrolmentDto,
} from '../factors/factor.dto.js';
import { Factors } from '../factors/factors.js';
import { PasskeyFactors } from '../factors/passkey-factors.js';
import {
  AddedPasskeyDto,
  AddPasskeyBody,
  newPasskeyOf,
  PasskeyCreationOptionsDto,
  PasskeyRequestOptionsDto,
  toAddedPasskeyDto,
} from '../factors/passkey.dto.js';
import { StepUp } from '../factors/step-up.js';
import type { OwnAccountAccess } from './own-account-access.js';

/** The second factors of a user, for that user. */
export function factorsController(access: OwnAccountAccess): Type {
  @ApiTags('Identity')
  @Controller('auth/v1')
  class FactorsController {
    constructor(
      private readonly factors: Factors,
      private readonly passkeys: PasskeyFactors,
      private readonly stepUp: StepUp,
    ) {}

    @Endpoint.get('factors', {
      ...access,
      summary: "The caller's second factors",
      description: 'All that are in force, at most 10, the oldest first.',
      response: [FactorDto],
    })
    async list(@CurrentUser() { userId }: UserCaller): Promise<FactorDto[]> {
      return (await this.factors.list(userId)).map(toFactorDto);
    }

    @Endpoint.post('factors/totp', {
      ...access,
      summary: 'Begin to add an authenticator application',
      description:
        'Needs a proof of the last 10 minutes. Not in force until a code confirms it, within an hour.',
      status: 201,
      response: TotpEnrolmentDto,
      errors: [
        'validation_failed',
        'session_revoked',
        'reauthentication_required',
        'limit_reached',
        'overloaded',
      ],
    })
    async add(
      @CurrentUser() caller: UserCaller,
      @Body() { name }: FactorNameBody,
      @RequestOrigin() origin: Origin,
    ): Promise<TotpEnrolmentDto> {
      return toTotpEnrolmentDto(await this.factors.enrolTotp(caller, name, origin));
    }

    @Endpoint.post('factors/totp/:id/confirm', {
      ...access,
      summary: 'Put an authenticator application in force',
      description:
        'Answers the recovery codes with the first factor, and then ends every other session, because none of them met it.',
      response: ConfirmedFactorDto,
      errors: [
        'validation_failed',
        'session_revoked',
        'invalid_second_factor',
        'factor_not_found',
        'overloaded',
      ],
    })
    async confirm(
      @CurrentUser() caller: UserCaller,
      @Param('id') id: string,
      @Body() { code }: ConfirmFactorBody,
      @RequestOrigin() origin: Origin,
    ): Promise<ConfirmedFactorDto> {
      const codes = await this.factors.confirm(caller, id, code, origin);
      return codes === null ? {} : { recovery_codes: codes };
    }

    @Endpoint.post('factors/passkeys/options', {
      ...access,
      summary: 'Begin to add a passkey',
      description:
        'What `navigator.credentials.create` takes as `publicKey`, in JSON. Needs a proof of the last 10 minutes. Good for ' +
        'one use within 5 minutes; an account has at most 5 such options at one time, of which the oldest go first.',
      status: 200,
      response: PasskeyCreationOptionsDto,
      errors: ['session_revoked', 'reauthentication_required', 'limit_reached', 'overloaded'],
    })
    async passkeyOptions(
      @CurrentUser() caller: UserCaller,
      @RequestOrigin() origin: Origin,
    ): Promise<PasskeyCreationOptionsDto> {
      return await this.passkeys.options(caller, origin);
    }

    @Endpoint.post('factors/passkeys', {
      ...access,
      summary: 'Add a passkey',
      description:
        'In force at once. Needs a proof of the last 10 minutes. The first factor does what it does as an authenticator ' +
        'application: it answers recovery codes and ends every other session.',
      status: 201,
      response: AddedPasskeyDto,
      errors: [
        'validation_failed',
        'session_revoked',
        'reauthentication_required',
        'invalid_challenge',
        'invalid_passkey',
        'passkey_taken',
        'limit_reached',
        'overloaded',
      ],
    })
    async addPasskey(
      @CurrentUser() caller: UserCaller,
      @Body() body: AddPasskeyBody,
      @RequestOrigin() origin: Origin,
    ): Promise<AddedPasskeyDto> {
      return toAddedPasskeyDto(await this.passkeys.add(caller, newPasskeyOf(body), origin));
    }

    @Endpoint.post('factors/recovery-codes', {
      ...access,
      summary: 'Replace the recovery codes',
      description: 'Needs a proof of the last 10 minutes. The old codes are void.',
      response: RecoveryCodesDto,
      errors: ['session_revoked', 'reauthentication_required', 'factor_required', 'overloaded'],
    })
    async renewCodes(
      @CurrentUser() caller: UserCaller,
      @RequestOrigin() origin: Origin,
    ): Promise<RecoveryCodesDto> {
      return { recovery_codes: await this.factors.renewCodes(caller, origin) };
    }

    @Endpoint.patch('factors/:id', {
      ...access,
      summary: 'Rename a second factor',
      description: 'Needs a proof of the last 10 minutes.',
      response: FactorDto,
      errors: [
        'validation_failed',
        'session_revoked',
        'reauthentication_required',
        'factor_not_found',
        'overloaded',
      ],
    })
    async rename(
      @CurrentUser() caller: UserCaller,
      @Param('id') id: string,
      @Body() { name }: FactorNameBody,
      @RequestOrigin() origin: Origin,
    ): Promise<FactorDto> {
      return toFactorDto(await this.factors.rename(caller, id, name, origin));
    }

    @Endpoint.delete('factors/:id', {
      ...access,
      summary: 'Remove a second factor',
      description: 'Needs a proof of the last 10 minutes. The recovery codes go with the last factor.',
      status: 204,
      errors: ['session_revoked', 'reauthentication_required', 'factor_not_found', 'overloaded'],
    })
    async remove(
      @CurrentUser() caller: UserCaller,
      @Param('id') id: string,
      @RequestOrigin() origin: Origin,
    ): Promise<void> {
      await this.factors.remove(caller, id, origin);
    }

    @Endpoint.post('reauthenticate/options', {
      ...access,
      summary: 'Begin to prove again who is there, by a passkey',
      description:
        'What `navigator.credentials.get` takes as `publicKey`, in JSON. Good for one use within 5 minutes.',
      status: 200,
      response: PasskeyRequestOptionsDto,
      errors: ['session_revoked', 'factor_required', 'overloaded'],
    })
    async reauthenticationOptions(@CurrentUser() caller: UserCaller): Promise<PasskeyRequestOptionsDto> {
      return await this.stepUp.options(caller);
    }

    @Endpoint.post('reauthenticate', {
      ...access,
      summary: 'Prove again who is there',
      description:
        'By `password`, `code`, `recovery_code`, or by `credential` for the options of `POST /auth/v1/reauthenticate/options`. ' +
        'The proof is recent for 10 minutes in this session.',
      status: 204,
      errors: [
        'validation_failed',
        'wrong_password',
        'invalid_challenge',
        'invalid_second_factor',
        'factor_required',
        'session_revoked',
        'overloaded',
      ],
    })
    async reauthenticate(
      @CurrentUser() caller: UserCaller,
      @Body() body: ReauthenticateBody,
      @RequestOrigin() origin: Origin,
    ): Promise<void> {
      await this.stepUp.prove(caller, body, origin);
    }
  }
  return FactorsController;
}
