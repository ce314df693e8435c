import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { usePartsText } from '../../parts/text.js';
import { TextButton } from '../../parts/text-button.js';

/** Two lines of what a job is for, and all of it where somebody asks for the rest. */
export function Description({ children }: { children: string }): ReactNode {
  const t = usePartsText();
  const place = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const text = place.current;
    if (text === null || isOpen) return undefined;
    const observer = new ResizeObserver(() => {
      setIsCut(text.scrollHeight > text.clientHeight);
    });
    observer.observe(text);
    return () => {
      observer.disconnect();
    };
  }, [isOpen, children]);
  return (
    <>
      <div ref={place} dir="auto" className={isOpen ? undefined : 'two-lines'}>
        {children}
      </div>
      {(isCut || isOpen) && (
        <TextButton
          onClick={() => {
            setIsOpen(!isOpen);
          }}
        >
          {t(isOpen ? 'less' : 'all')}
        </TextButton>
      )}
    </>
  );
}
