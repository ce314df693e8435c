import { Button, Menu, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../../parts/queries.js';
import { FORMATS } from './audit-source.js';
import type { AuditMatch, AuditSource, ExportFormat } from './audit-source.js';
import { useAuditText } from './text.js';

/** Hands the file to the browser's downloads. The access token goes in a header, so a link alone would not do. */
async function download(answer: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Downloads the entries that match. */
export function AuditExport({ source, match }: { source: AuditSource; match: () => AuditMatch }): ReactNode {
  const t = useAuditText();
  const save = useMutation({
    mutationFn: async (format: ExportFormat) => {
      await download(await source.export({ ...match(), format }), `audit.${format}`);
    },
  });
  return (
    <>
      {save.error !== null && (
        <Text size="sm" c="var(--bad)" role="alert">
          {messageOf(save.error)}
        </Text>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Download size={15} />} loading={save.isPending}>
            {t('export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item
              key={format}
              onClick={() => {
                save.mutate(format);
              }}
            >
              {t('exportAs', { format: format.toUpperCase() })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
