import { Alert, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useQuery } from '@tanstack/react-query';
import { Download, FileUp } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { DataTable } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { Figure, Figures } from '../../parts/figure.js';
import { Card, Page } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { Empty } from '../../parts/states.js';
import { useAccounts } from '../users/accounts.js';
import { useUsersText } from '../users/text.js';
import { preview } from './source.js';
import type { PreviewLine } from './source.js';
import { useImportText } from './text.js';
import { useImport } from './use-import.js';
import type { Import } from './use-import.js';
import classes from './import-page.module.css';

function Preview({ file }: { file: File }): ReactNode {
  const t = useImportText();
  const { data, error } = useQuery({
    queryKey: ['import-preview', file.name, file.size, file.lastModified],
    queryFn: () => preview(file),
  });
  const columns: readonly Column<PreviewLine>[] = [
    { key: 'line', title: t('line'), width: 70, optional: true, cell: ({ number }) => number },
    {
      key: 'email',
      title: t('email'),
      cell: ({ email }) =>
        email === null ? (
          <span className={classes.wrong}>{t('unreadable')}</span>
        ) : (
          <span className={classes.email} dir="auto">
            {email}
          </span>
        ),
    },
    {
      key: 'hash',
      title: t('password'),
      cell: ({ email, algorithm }) => (email === null ? null : (algorithm ?? t('noPassword'))),
    },
    { key: 'place', title: t('place'), optional: true, cell: ({ place }) => place },
  ];
  return (
    <Card title={t('preview')} flush>
      <DataTable
        label={t('preview')}
        columns={columns}
        rows={data}
        error={error}
        keyOf={({ number }) => String(number)}
        expected={5}
        empty={<Empty title={t('emptyFile')} />}
      />
    </Card>
  );
}

function saveReport(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  link.download = 'import-problems.ndjson';
  link.click();
  URL.revokeObjectURL(link.href);
}

function Outcome({ work }: { work: Import }): ReactNode {
  const t = useImportText();
  const { phase, progress, part, problems, error } = work;
  const { created, skipped, refused, nextLine } = progress;
  return (
    <>
      <Card title={t(phase === 'done' ? 'done' : phase === 'stopped' ? 'stopped' : 'running')}>
        <Stack gap="md">
          <Progress value={part} aria-label={t('progress')} />
          <div aria-live="polite">
            <Figures>
              <Figure name={t('lines')} value={nextLine - 1} />
              <Figure name={t('created')} value={created} />
              <Figure name={t('skipped')} value={skipped} about={t('skippedAbout')} />
              <Figure name={t('refused')} value={refused} about={t('refusedAbout')} />
            </Figures>
          </div>
          {phase === 'stopped' && (
            <Alert color={error === null ? 'gray' : 'red'} role="alert">
              {error !== null && <Text size="sm">{messageOf(error)}</Text>}
              <Text size="sm">{t('goOnAbout', { line: nextLine })}</Text>
            </Alert>
          )}
        </Stack>
      </Card>
      {refused + skipped > 0 && (
        <Card
          title={t('problems')}
          flush
          action={
            <Button
              variant="default"
              size="xs"
              leftSection={<Download size={14} />}
              onClick={() => {
                saveReport(work.report());
              }}
            >
              {t('download')}
            </Button>
          }
        >
          <DataTable
            label={t('problems')}
            columns={[
              { key: 'line', title: t('line'), width: 70, cell: ({ line }) => line },
              {
                key: 'email',
                title: t('email'),
                optional: true,
                cell: ({ email }) => (
                  <span className={classes.email} dir="auto">
                    {email}
                  </span>
                ),
              },
              {
                key: 'message',
                title: t('problem'),
                cell: ({ message, hint }) => (
                  <>
                    <div>{message}</div>
                    <Text size="xs" c="dimmed">
                      {hint}
                    </Text>
                  </>
                ),
              },
            ]}
            rows={problems}
            keyOf={({ line }) => String(line)}
            empty={<Empty title={t('noProblems')} />}
          />
        </Card>
      )}
    </>
  );
}

/** Accounts of another system, from a file. */
export default function ImportPage(): ReactNode {
  const t = useImportText();
  const users = useUsersText();
  const accounts = useAccounts();
  const [file, setFile] = useState<File | null>(null);
  const work = useImport(accounts);
  const { phase } = work;
  const choose = (chosen: File | null): void => {
    if (chosen === null) return;
    work.reset();
    setFile(chosen);
  };
  return (
    <Page
      title={t('title')}
      above={[{ title: users('title'), to: accounts.path }]}
      about={t(accounts.project === null ? 'about' : 'aboutProject')}
    >
      {!accounts.isReadOnly && (
        <Group gap="sm">
          <FileButton
            onChange={choose}
            accept=".ndjson,.jsonl,application/x-ndjson"
            disabled={phase === 'running'}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                leftSection={<FileUp size={15} />}
                disabled={phase === 'running'}
              >
                {t('choose')}
              </Button>
            )}
          </FileButton>
          {file !== null && (phase === 'idle' || phase === 'stopped') && (
            <Button
              onClick={() => {
                work.run(file);
              }}
            >
              {t(phase === 'stopped' ? 'goOn' : 'start')}
            </Button>
          )}
          {phase === 'running' && (
            <Button variant="default" onClick={work.stop}>
              {t('stop')}
            </Button>
          )}
          {file !== null && (
            <Text size="sm" c="dimmed" className={classes.email} dir="auto">
              {file.name}
            </Text>
          )}
        </Group>
      )}
      {file === null && (
        <Card>
          <Empty icon={FileUp} title={t('emptyTitle')}>
            {t('emptyText')}
          </Empty>
        </Card>
      )}
      {file !== null && phase === 'idle' && <Preview file={file} />}
      {phase !== 'idle' && <Outcome work={work} />}
    </Page>
  );
}
