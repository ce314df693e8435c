import { Table } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import classes from './data-table.module.css';
import { Failure, RowSkeletons } from './states.js';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** On narrow screens the column is left out; `phone`: on those of phones alone. */
  readonly optional?: boolean | 'phone';
  readonly width?: number;
}

/** A second line of a cell on narrow screens, for what a column says that is left out there. */
export function NarrowLine({ children }: { children: ReactNode }): ReactNode {
  return <span className={classes.narrowLine}>{children}</span>;
}

/** What a narrow line says on narrow screens. */
export function WideOnly({ children }: { children: ReactNode }): ReactNode {
  return <span className={classes.wideOnly}>{children}</span>;
}

interface DataTableProps<Row> {
  /** Said to screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly error?: unknown;
  readonly onRetry?: () => void;
  readonly empty: ReactNode;
  /** Rows while it loads. */
  readonly expected?: number;
  /** A click anywhere in a row follows its first link. */
  readonly opensRows?: boolean;
}

/** Follows the first link of a row, unless the click is for something else in it, or ends a selection of text. */
function openRow({ currentTarget, target, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('a, button, input') !== null) return;
  if (window.getSelection()?.isCollapsed === false) return;
  const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
  currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent('click', click));
}

/** A list in its four states: loading, failed, empty, and there. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  error,
  onRetry,
  empty,
  expected,
  opensRows = false,
}: DataTableProps<Row>): ReactNode {
  if (error != null && rows === undefined) return <Failure error={error} onRetry={onRetry} />;
  if (rows?.length === 0) return empty;
  const propsOf = ({ align, optional = false }: Column<Row>) => ({
    ...(align === undefined ? {} : { ta: align }),
    className: optional === 'phone' ? classes.notOnPhones : optional ? classes.optional : undefined,
  });
  return (
    <Table.ScrollContainer
      minWidth={0}
      type="native"
      className={`scrolls-sideways ${classes.scroll ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Table className={classes.table} aria-busy={rows === undefined}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} scope="col" w={column.width} {...propsOf(column)}>
                {column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined ? (
            <RowSkeletons columns={columns.length} {...(expected === undefined ? {} : { rows: expected })} />
          ) : (
            rows.map((row) => (
              <Table.Tr
                key={keyOf(row)}
                {...(opensRows ? { className: classes.opens, onClick: openRow } : {})}
              >
                {columns.map((column) => (
                  <Table.Td key={column.key} {...propsOf(column)}>
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
