import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What docs/glossary.md says is no longer used: as names in code, and as words of prose where they are unmistakable. */
const FORMER = [
  /\b(?:StartRefusal|startRefusal|DutyRoster|enrol(?:s|led)?|ChangeFeed|changeFeed|OneStatement|oneStatement)\b/,
  /\b(?:Workbench|workbench|RunIntake|RunsAtWork|LostRuns|bringBack|SpentRows|OwnSessions|StandingAccess\w*)\b/,
  /\b(?:ForeignMailServers|foreignMailServers|isOthersDoing|passesByItself|breathe|AnswerCache|KeySet\w*)\b/,
  /\b(?:ParkedRun\w*|claimParked|callParked|LeftRoom|RunRooms|TakenHint|RunHints?|MailHint|hintAll|turnAfter)\b/,
  /\b(?:Handover|handover|[Ee]ntrants?|InvitationEntrance|OrganizationDeparture|RotationCause|Registrar|passOn)\b/,
  /\b(?:SealedPlace|DatabasePlace|PlacedTrigger|HeldMail|HeldPlaces|ImportPlaces|whenFound|roster|carryOn)\b/,
  /\b(?:demand[A-Z]|demandedAt)\w*/,
  /\b(?:tenant_rooms|job_rooms|mail_turns|parked(?:_at|_by_job)?)\b/,
  /\b(?:[Kk]ey sets?|change feed|[Ss]tart refusals?|[Oo]wn sessions|[Ff]oreign mail servers?|[Dd]ut(?:y|ies))\b/,
];

/** Where the former words have to stand. */
const EXEMPT =
  /^(?:CHANGELOG\.md$|package-lock\.json$|docs\/glossary\.md$|docs\/decisions\/|test\/unit\/docs\/glossary\.test\.ts$|bench\/results\/)/;

describe('the words of docs/glossary.md', () => {
  it('replace the former ones in code, documents and tests', () => {
    const found = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
      .split('\0')
      .filter((path) => /\.(?:ts|mjs|js|md|hbs|toml|ya?ml|json)$/.test(path) && !EXEMPT.test(path))
      .flatMap((path) =>
        readFileSync(`${ROOT}/${path}`, 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            FORMER.some((word) => word.test(line)) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
          ),
      );
    expect(found).toEqual([]);
  });
});
