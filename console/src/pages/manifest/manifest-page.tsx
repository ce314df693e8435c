import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { ServiceError } from '@service/client';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { MONOSPACE } from '../../parts/monospace.js';
import { DataTable } from '../../parts/data-table.js';
import { Card, Page } from '../../parts/page.js';
import { problemBeside } from '../../parts/problems.js';
import { isCode } from '../../parts/queries.js';
import { TextButton } from '../../parts/text-button.js';
import classes from './changes.module.css';
import { Changes } from './changes.js';
import { DeleteJobs } from './delete-jobs.js';
import { Sources } from './sources.js';
import { useManifestText } from './text.js';
import { useDraft, useRegister } from './use-manifest.js';

type Detail = NonNullable<ServiceError['details']>[number];

function Problems({ details }: { details: readonly Detail[] }): ReactNode {
  const t = useManifestText();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [details]);
  return (
    <div ref={place} className={classes.place}>
      <Card flush title={t('problems')}>
        <DataTable
          label={t('problems')}
          columns={[
            { key: 'place', title: t('place'), cell: ({ path }) => <code>{path}</code> },
            { key: 'problem', title: t('problem'), cell: ({ message }) => message },
          ]}
          rows={details}
          keyOf={({ path, message }) => `${path} ${message}`}
          empty={null}
        />
      </Card>
    </div>
  );
}

/** Registers jobs: what would change is shown before it is done. */
export default function ManifestPage(): ReactNode {
  const t = useManifestText();
  const { text, write, replace, undo } = useDraft();
  const [prune, setPrune] = useState(false);
  const place = useRef<HTMLTextAreaElement>(null);
  const register = useRegister(text, prune);
  const { data, error } = register;
  const [isAsking, setIsAsking] = useState(false);
  const deletes = data?.changes.filter(({ change }) => change === 'deleted').map(({ id }) => id) ?? [];
  const deploy = (): void => {
    setIsAsking(false);
    register.mutate(false);
  };
  const insert = (value: string): void => {
    register.reset();
    replace(value);
  };
  const details = error instanceof ServiceError ? error.details : [];
  /** What the table of problems does not say. */
  const problem = isCode(error, 'validation_failed') && details.length > 0 ? null : problemBeside(error);
  return (
    <Page title={t('title')} about={t('about')}>
      <Card>
        <Stack>
          <Sources
            text={text}
            onText={insert}
            onInsert={(value, where) => {
              insert(value);
              requestAnimationFrame(() => {
                const { scrollHeight = 0, clientHeight = 0 } = place.current ?? {};
                place.current?.scrollTo({ top: scrollHeight * where - clientHeight * 0.8 });
              });
            }}
          />
          <Textarea
            ref={place}
            label={t('label')}
            value={text}
            onChange={({ currentTarget }) => {
              register.reset();
              write(currentTarget.value);
            }}
            onDrop={(event) => {
              const [file] = event.dataTransfer.files;
              if (file === undefined) return;
              event.preventDefault();
              void file.text().then(insert);
            }}
            autosize
            minRows={10}
            maxRows={24}
            spellCheck={false}
            styles={MONOSPACE}
          />
          {undo !== null && (
            <Text role="status" size="sm" c="dimmed">
              {t('replaced')}{' '}
              <TextButton
                onClick={() => {
                  register.reset();
                  undo();
                  place.current?.focus();
                }}
              >
                {t('undo')}
              </TextButton>
            </Text>
          )}
          {problem !== null && (
            <Text role="alert" size="sm" c="var(--bad)">
              {problem}
            </Text>
          )}
          <Group justify="space-between">
            <Checkbox
              label={t('prune')}
              checked={prune}
              onChange={({ currentTarget }) => {
                register.reset();
                setPrune(currentTarget.checked);
              }}
            />
            <Group gap="xs">
              <Button
                variant="default"
                disabled={text.trim() === ''}
                loading={register.isPending}
                onClick={() => {
                  register.mutate(true);
                }}
              >
                {t('compare')}
              </Button>
              <Button
                disabled={data?.dryRun !== true}
                loading={register.isPending}
                {...(deletes.length > 0 && data?.dryRun === true ? { color: 'red.8' } : {})}
                onClick={() => {
                  if (deletes.length > 0) setIsAsking(true);
                  else deploy();
                }}
              >
                {t('deploy')}
              </Button>
            </Group>
          </Group>
          {text.trim() !== '' && data === undefined && (
            <Text size="sm" c="dimmed" ta="right">
              {t('compareFirst')}
            </Text>
          )}
        </Stack>
      </Card>
      {details.length > 0 && <Problems details={details} />}
      {data !== undefined && <Changes isDone={!data.dryRun} changes={data.changes} />}
      {isAsking && (
        <DeleteJobs
          ids={deletes}
          onClose={() => {
            setIsAsking(false);
          }}
          onDeploy={deploy}
        />
      )}
    </Page>
  );
}
