import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { AuditAnchors, AuditTrail, AuditVerifier, ChainRekey, RefusalCounter } from '../../audit/index.js';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import {
  Accounts,
  AccountStateRepository,
  AccountStates,
  BreachedPasswords,
  NewPassword,
  OneTimeTokens,
  OperatorRepository,
  Operators,
  OrganizationIdentityProfile,
  PasswordHasher,
  PasswordPolicy,
  ProjectIdentityProfile,
  SigningKeyEntity,
  SigningKeyRepository,
  SigningKeyRotation,
  SigningKeys,
  UserDisabling,
  UserEntity,
  UserRepository,
  SignInCodeRepository,
  UserSessionRepository,
} from '../../identity/index.js';
import type { Config } from '../../platform/config/index.js';
import { KeyRing } from '../../platform/crypto/index.js';
import {
  Database,
  dataSourceOptions,
  migrationState,
  primaryServer,
  startupError,
} from '../../platform/database/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { OutboundClient } from '../../platform/outbound/index.js';
import { ProjectDirectory, ProjectKeys, ProjectRepository } from '../../projects/index.js';
import { asTyped, CommandError } from '../../../servicectl/src/index.js';
import type { Terminal } from '../../../servicectl/src/index.js';
import { reachDatabase, readConfiguration } from './deployment.js';

/** Enough for one command; the program beside it needs the rest. */
const POOL_SIZE = 2;

/** The parts of the program that commands work with, put together without HTTP, Redis and background services. */
export class OperatorContext {
  readonly database: Database;
  readonly keyRing: KeyRing;
  readonly audit: AuditTrail;
  readonly auditVerifier: AuditVerifier;
  readonly auditAnchors: AuditAnchors;
  readonly chainRekey: ChainRekey;
  readonly signingKeys = new SigningKeyRepository();
  readonly signingKeyRotation: SigningKeyRotation;
  readonly userDisabling: UserDisabling;
  readonly newPassword: NewPassword;
  readonly operators: Operators;
  readonly hasOperatorAccountsApart: boolean;
  readonly projects = new ProjectRepository();
  readonly projectKeys: ProjectKeys;
  readonly profile: Config['identity']['profile'];

  private constructor(
    readonly config: Config,
    dataSource: DataSource,
  ) {
    const clock = new Clock();
    const changes = new CacheInvalidation(config);
    const users = new UserRepository();
    const identityProfile =
      config.identity.profile === 'organization'
        ? new OrganizationIdentityProfile()
        : new ProjectIdentityProfile();
    this.profile = config.identity.profile;
    this.database = new Database(dataSource);
    this.keyRing = new KeyRing([config.identity.dataKey ?? '', ...config.identity.dataKeyPrevious]);
    this.audit = new AuditTrail(this.database, clock, this.keyRing, new RefusalCounter(this.database));
    this.auditVerifier = new AuditVerifier(this.database, this.keyRing);
    this.auditAnchors = new AuditAnchors(this.database, this.keyRing);
    this.chainRekey = new ChainRekey(this.database, this.keyRing);
    this.signingKeyRotation = new SigningKeyRotation(
      config,
      this.database,
      this.signingKeys,
      new SigningKeys(this.database, this.signingKeys, this.keyRing, clock, changes),
      this.keyRing,
      this.audit,
      changes,
    );
    const sessions = new UserSessionRepository(identityProfile, new SignInCodeRepository(config));
    const states = new AccountStates(this.database, new AccountStateRepository(), changes);
    const accounts = new Accounts(users, sessions, this.audit, changes, states, clock);
    this.userDisabling = new UserDisabling(this.database, accounts);
    const hashes = new Counter({
      name: 'password_hashes',
      help: 'Of this command, for nobody.',
      registers: [],
    });
    const hasher = new PasswordHasher(config, hashes);
    const checks = new Counter({ name: 'checks', help: 'Of this command, for nobody.', registers: [] });
    const breached = new BreachedPasswords(config, new OutboundClient(), checks);
    const policy = new PasswordPolicy(config);
    const tokens = new OneTimeTokens(config);
    this.newPassword = new NewPassword(policy, breached, hasher, users, sessions, tokens, this.audit);
    const rows = new OperatorRepository();
    this.operators = new Operators(this.database, rows, users, accounts, identityProfile, this.audit);
    this.hasOperatorAccountsApart = identityProfile.hasOperatorAccountsApart;
    const directory = new ProjectDirectory(config, this.database, this.projects, changes);
    this.projectKeys = new ProjectKeys(config, changes, directory);
  }

  /** Works on the database of the configuration, and lets go of it whatever happens. */
  static async use<Result>(
    terminal: Terminal,
    work: (bench: OperatorContext) => Promise<Result>,
  ): Promise<Result> {
    const connection = await reachDatabase(readConfiguration(), terminal);
    try {
      const entities = [SigningKeyEntity, UserEntity];
      const { schema } = connection.config.database;
      const dataSource = new DataSource(
        dataSourceOptions({ url: connection.url, schema, poolSize: POOL_SIZE }, entities),
      );
      try {
        await primaryServer(connection.url).find();
        await dataSource.initialize();
      } catch (error) {
        throw startupError(error, connection.url) ?? error;
      }
      try {
        const bench = new OperatorContext(connection.config, dataSource);
        const { waitingMigrations } = await migrationState(bench.database.reader, dataSource, schema);
        if (waitingMigrations > 0)
          throw new CommandError(`the database lacks migrations of this release; run: ${asTyped('migrate')}`);
        return await work(bench);
      } finally {
        await dataSource.destroy();
      }
    } finally {
      await connection.release();
    }
  }
}
