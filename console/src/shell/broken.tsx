import { Button } from '@mantine/core';
import { Compass, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Empty } from '../parts/states.js';
import { useShellText } from './text.js';

/** In place of a page that failed: its code, or the files that a newer release has replaced. */
export function Broken(): ReactNode {
  const t = useShellText();
  return (
    <div role="alert">
      <Empty
        isWholePage
        icon={TriangleAlert}
        title={t('broken')}
        action={
          <Button
            onClick={() => {
              location.reload();
            }}
          >
            {t('reload')}
          </Button>
        }
      >
        {t('brokenHint')}
      </Empty>
    </div>
  );
}

export function NoSuchPage(): ReactNode {
  const t = useShellText();
  return (
    <Empty
      isWholePage
      icon={Compass}
      title={t('missing')}
      action={
        <Button component={Link} to="/" variant="default">
          {t('home')}
        </Button>
      }
    />
  );
}
