import { BadRequestException, ImATeapotException, NotFoundException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { toServiceError } from '../../../src/http/errors/error-mapper.js';
import { ServiceError } from '../../../src/http/index.js';

function coded(code: string, statusCode?: number): Error {
  return Object.assign(new Error('said in confidence'), { code, statusCode });
}

function queryFailure(code: string): QueryFailedError {
  return new QueryFailedError('SELECT secret', ['parameter'], Object.assign(new Error('detail'), { code }));
}

describe('whatever is thrown', () => {
  it.each([
    ['an error of ours', new ServiceError('slug_taken'), 'slug_taken', 409],
    ['an unknown route', new NotFoundException(), 'not_found', 404],
    ['an exception of the framework', new BadRequestException(), 'bad_request', 400],
    ['a status without a code of its own', new ImATeapotException(), 'bad_request', 400],
    ['a body over the limit', coded('FST_ERR_CTP_BODY_TOO_LARGE', 413), 'payload_too_large', 413],
    ['a media type', coded('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415), 'unsupported_media_type', 415],
    ['a refused connection to the database', coded('ECONNREFUSED'), 'unavailable', 503],
    ['a database that shuts down', queryFailure('57P01'), 'unavailable', 503],
    ['a database without room', queryFailure('53300'), 'unavailable', 503],
    ['a statement that fails', queryFailure('42703'), 'internal_error', 500],
    ['a status of success', coded('X', 200), 'internal_error', 500],
    ['any other error', new TypeError('said in confidence'), 'internal_error', 500],
    ['text', 'said in confidence', 'internal_error', 500],
    ['null', null, 'internal_error', 500],
    ['nothing', undefined, 'internal_error', 500],
  ])('%s becomes a registered error', (_, thrown, code, status) => {
    const error = toServiceError(thrown);
    expect([error.code, error.status]).toEqual([code, status]);
    expect(error.message).not.toMatch(/confidence|secret|parameter|detail/);
  });

  it.each([
    ['25006', 'takes no writes'],
    ['26000', 'a connection that has lost its prepared statements'],
    ['28P01', 'the password was changed'],
    ['28000', 'the account may not connect any more'],
    ['3D000', 'the database was dropped'],
    ['3F000', 'the schema was dropped'],
    ['40001', 'a conflict with recovery'],
    ['42501', 'a privilege was revoked'],
    ['42P01', 'the database was made anew without its tables'],
    ['42P05', 'a pooler has given the connection another server'],
    ['53100', 'the disk is full'],
    ['53200', 'out of memory'],
    ['53300', 'too many connections'],
    ['53400', 'a configuration limit'],
    ['55000', 'the database accepts no connections'],
    ['55006', 'the database is in use'],
    ['57P01', 'shuts down'],
    ['57P02', 'crashes'],
    ['57P03', 'starts'],
    ['57P04', 'the database was dropped'],
    ['58030', 'cannot read or write'],
    ['XX000', 'an internal error'],
    ['XX001', 'data corrupted'],
    ['XX002', 'an index corrupted'],
  ])('%s of PostgreSQL (%s) is a state of the server: unavailable, with Retry-After', (code) => {
    const error = toServiceError(queryFailure(code));
    expect([error.code, error.headers]).toEqual(['unavailable', { 'Retry-After': '1' }]);
  });

  it.each(['22P02', '23505', '42601', '42703', '0A000'])(
    '%s of PostgreSQL is a defect: an internal error',
    (code) => {
      expect(toServiceError(queryFailure(code)).code).toBe('internal_error');
    },
  );

  it('learns when to try again, if that helps', () => {
    expect(toServiceError(coded('ECONNREFUSED')).headers).toEqual({ 'Retry-After': '1' });
  });
});
