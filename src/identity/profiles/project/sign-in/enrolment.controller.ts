import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentProject, Endpoint, RequestOrigin } from '../../../../http/index.js';
import type { Origin, ResolvedProject } from '../../../../http/index.js';
import { TotpEnrolmentDto, toTotpEnrolmentDto } from '../../../factors/factor.dto.js';
import { newPasskeyOf, PasskeyCreationOptionsDto } from '../../../factors/passkey.dto.js';
import { FactorEnrolment } from '../../../sign-in/enrolment/factor-enrolment.js';
import { realmOf } from '../../../own-account/own-account-access.js';
import {
  ConfirmEnrolmentBody,
  EnrolledSessionDto,
  EnrolmentTokenBody,
  EnrolPasskeyBody,
  EnrolTotpBody,
  toEnrolledSessionDto,
} from './dto.js';

/** The first factor of an account, within a sign-in that its project refuses without one. */
@ApiTags('Identity')
@Controller('auth/v1/enrolment')
export class EnrolmentController {
  constructor(private readonly enrolment: FactorEnrolment) {}

  @Endpoint.post('totp', {
    access: 'anon_key',
    summary: 'Begin to add an authenticator application within a sign-in',
    description: 'Where the project demands a second factor. Not in force until a code confirms it.',
    status: 201,
    response: TotpEnrolmentDto,
    errors: ['validation_failed', 'invalid_challenge'],
  })
  async beginTotp(
    @CurrentProject() project: ResolvedProject,
    @Body() { enrolment_token: token, name }: EnrolTotpBody,
  ): Promise<TotpEnrolmentDto> {
    return toTotpEnrolmentDto(await this.enrolment.beginTotp({ realmId: realmOf(project), token }, name));
  }

  @Endpoint.post('totp/:id/confirm', {
    access: 'anon_key',
    summary: 'Put an authenticator application in force and sign in',
    description: 'Answers the session and the recovery codes. The token has five tries.',
    status: 200,
    response: EnrolledSessionDto,
    errors: ['validation_failed', 'invalid_challenge', 'invalid_second_factor', 'factor_not_found'],
  })
  async confirmTotp(
    @CurrentProject() project: ResolvedProject,
    @Param('id') id: string,
    @Body() { enrolment_token: token, code }: ConfirmEnrolmentBody,
    @RequestOrigin() origin: Origin,
  ): Promise<EnrolledSessionDto> {
    const waiting = { realmId: realmOf(project), token };
    return toEnrolledSessionDto(await this.enrolment.confirmTotp(waiting, { id, code }, origin));
  }

  @Endpoint.post('passkeys/options', {
    access: 'anon_key',
    summary: 'Begin to add a passkey within a sign-in',
    description: 'What `navigator.credentials.create` takes as `publicKey`, in JSON.',
    status: 200,
    response: PasskeyCreationOptionsDto,
    errors: ['validation_failed', 'invalid_challenge'],
  })
  async passkeyOptions(
    @CurrentProject() project: ResolvedProject,
    @Body() { enrolment_token: token }: EnrolmentTokenBody,
  ): Promise<PasskeyCreationOptionsDto> {
    return await this.enrolment.passkeyOptions({ realmId: realmOf(project), token });
  }

  @Endpoint.post('passkeys', {
    access: 'anon_key',
    summary: 'Put a passkey in force and sign in',
    description: 'Answers the session and the recovery codes.',
    status: 200,
    response: EnrolledSessionDto,
    errors: ['validation_failed', 'invalid_challenge', 'invalid_passkey', 'passkey_taken'],
  })
  async addPasskey(
    @CurrentProject() project: ResolvedProject,
    @Body() { enrolment_token: token, ...passkey }: EnrolPasskeyBody,
    @RequestOrigin() origin: Origin,
  ): Promise<EnrolledSessionDto> {
    const waiting = { realmId: realmOf(project), token };
    return toEnrolledSessionDto(await this.enrolment.addPasskey(waiting, newPasskeyOf(passkey), origin));
  }
}
