import { Button, FileButton, Group, Select, Text } from '@mantine/core';
import { definitionOf } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { FileUp, History, Plus } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { messageOf } from '../../parts/queries.js';
import { useTenant } from '../../tenant/tenant.js';
import { endOf, jobIdsOf, manifestOf, textOf, withExample } from './example.js';
import type { Example } from './example.js';
import { useManifestText } from './text.js';

interface SourcesProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** `place` is where in the text something was put, from 0, its beginning, to 1. */
  readonly onInsert: (text: string, place: number) => void;
}

/** Registered jobs as a manifest: one of them, or all. */
function useRegistered(onText: (text: string) => void) {
  const { client } = useTenant();
  return useMutation({
    mutationFn: async (id: string | null) =>
      id === null ? await client.jobs.list({ limit: 100 }).all() : [await client.jobs.get(id)],
    onSuccess: (jobs) => {
      onText(textOf({ jobs: jobs.map(definitionOf) }));
    },
  });
}

/** Where a manifest comes from: what is registered, a file, and examples of what it may contain. */
export function Sources({ text, onText, onInsert }: SourcesProps): ReactNode {
  const t = useManifestText();
  const { may } = useTenant();
  const [search, setSearch] = useSearchParams();
  const registered = useRegistered(onText);
  const job = search.get('job');
  /** Forgets the file, so that the same one can be chosen again. */
  const resetFile = useRef<() => void>(null);
  const { mutate } = registered;
  const [wanted, setWanted] = useState(job);
  // The page of a job leads here.
  useEffect(() => {
    if (job === null) return;
    setSearch({}, { replace: true });
    mutate(job);
  }, [job, mutate, setSearch]);
  const manifest = manifestOf(text);
  const jobIds = manifest === null ? [] : jobIdsOf(manifest);
  /** The job that gets a trigger. */
  const into = jobIds.find((id) => id === wanted) ?? jobIds.at(-1) ?? null;
  const insertId = useId();
  const insertButton = (example: Example): ReactNode => (
    <Button
      key={example}
      size="compact-sm"
      variant="default"
      leftSection={<Plus size={14} />}
      disabled={manifest === null}
      onClick={() => {
        if (manifest === null) return;
        const next = withExample(manifest, example, into);
        onInsert(textOf(next), example === 'job' ? 1 : endOf(next, into));
      }}
    >
      {t(example)}
    </Button>
  );
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          {may('jobs:jobs:read') && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<History size={14} />}
              loading={registered.isPending}
              onClick={() => {
                mutate(null);
              }}
            >
              {t('registered')}
            </Button>
          )}
          <FileButton
            resetRef={resetFile}
            accept="application/json,.json"
            onChange={(file) => {
              void file?.text().then(onText);
              resetFile.current?.();
            }}
          >
            {(props) => (
              <Button size="compact-sm" variant="default" leftSection={<FileUp size={14} />} {...props}>
                {t('choose')}
              </Button>
            )}
          </FileButton>
        </Group>
        <Group gap="xs" role="group" aria-labelledby={insertId}>
          <Text id={insertId} size="xs" c="dimmed">
            {t('insert')}
          </Text>
          {insertButton('job')}
          {jobIds.length > 1 && (
            <Select
              aria-label={t('intoJob')}
              leftSection={
                <Text span size="xs" aria-hidden>
                  {t('into')}
                </Text>
              }
              leftSectionWidth={40}
              size="xs"
              w={200}
              data={jobIds}
              value={into}
              allowDeselect={false}
              searchable
              onChange={setWanted}
            />
          )}
          {insertButton('webhook')}
          {insertButton('schedule')}
        </Group>
      </Group>
      {registered.error !== null && (
        <Text role="alert" size="sm" c="var(--bad)">
          {messageOf(registered.error)}
        </Text>
      )}
    </>
  );
}
