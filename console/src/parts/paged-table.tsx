import { Button, Center } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable } from './data-table.js';
import type { Column } from './data-table.js';
import { Card } from './page.js';
import type { Pages } from './use-pages.js';

interface PagedTableProps<Row> {
  /** Said to screen readers, and shown above it where it is a part of a page. */
  readonly label: string;
  readonly isPart?: boolean;
  readonly action?: ReactNode;
  readonly columns: readonly Column<Row>[];
  readonly pages: Pages<Row>;
  readonly keyOf: (row: Row) => string;
  readonly empty: ReactNode;
  /** Of the button that loads the next page. */
  readonly more: string;
  /** As of `DataTable`. */
  readonly opensRows?: boolean;
}

/** A framed list with a button for its next page. */
export function PagedTable<Row>(props: PagedTableProps<Row>): ReactNode {
  const { label, isPart = false, action, columns, pages, keyOf, empty, more, opensRows = false } = props;
  return (
    <>
      <Card flush {...(isPart ? { title: label, action } : {})}>
        <DataTable
          label={label}
          columns={columns}
          rows={pages.items}
          keyOf={keyOf}
          error={pages.error}
          onRetry={pages.retry}
          empty={empty}
          opensRows={opensRows}
          {...(isPart ? { expected: 2 } : {})}
        />
      </Card>
      {pages.hasMore && (
        <Center>
          <Button variant="default" loading={pages.isLoadingMore} onClick={pages.loadMore}>
            {more}
          </Button>
        </Center>
      )}
    </>
  );
}
