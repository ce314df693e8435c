import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FormModal } from '../../parts/form-modal.js';
import { Card } from '../../parts/page.js';
import { KeyText } from '../../parts/key-text.js';
import { NewKeys } from '../projects/new-keys.js';
import { useProjectsText } from '../projects/text.js';
import { useProjectAdmin } from '../projects/use-project-admin.js';
import type { Project, ProjectWithKeys } from '../projects/use-project-admin.js';

type Key = 'anon' | 'service';

/** The anon key, and how to replace either key. */
export function ProjectKeys({ project }: { project: Project }): ReactNode {
  const t = useProjectsText();
  const { projects, isReadOnly } = useProjectAdmin();
  const [asked, setAsked] = useState<Key | null>(null);
  const [replaced, setReplaced] = useState<ProjectWithKeys | null>(null);
  const close = (): void => {
    setAsked(null);
  };
  const rotate = useMutation({
    mutationFn: (key: Key) => projects.rotateKey(project.ref, key),
    onSuccess: (answer) => {
      close();
      if (answer.service_key !== undefined) setReplaced(answer);
    },
  });
  const title = t(asked === 'anon' ? 'rotateAnon' : 'rotateService');
  return (
    <Card title={t('keys')}>
      <Stack>
        <KeyText name={t('anonKey')} hint={t('anonHint')} value={project.anon_key} />
        {!isReadOnly && (
          <Group gap="xs">
            {(['anon', 'service'] as const).map((key) => (
              <Button
                key={key}
                variant="default"
                leftSection={<RefreshCw size={15} />}
                onClick={() => {
                  setAsked(key);
                }}
              >
                {t(key === 'anon' ? 'rotateAnon' : 'rotateService')}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
      <FormModal
        title={title}
        isOpen={asked !== null}
        onClose={close}
        submit={t('rotate')}
        onSubmit={() => {
          if (asked !== null) rotate.mutate(asked);
        }}
        isPending={rotate.isPending}
        error={rotate.error}
        isDangerous
      >
        <Text size="sm">{t('rotateQuestion')}</Text>
      </FormModal>
      {replaced !== null && (
        <NewKeys
          project={replaced}
          onClose={() => {
            setReplaced(null);
          }}
        />
      )}
    </Card>
  );
}
