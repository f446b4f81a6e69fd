import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A modal dialog. Esc and a click beside it close it. */
export function Dialog({ title, onClose, children }: {
  title: string; onClose: () => void; children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    // The browser would focus the Close button.
    dialog.current?.querySelector<HTMLElement>("input, select, .buttons button")?.focus();
    return () => (opener as HTMLElement | SVGElement | null)?.focus?.();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}
      onClick={(event: MouseEvent) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}>
      <div class="dialog-body">
        <header>
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="icon" aria-label="Close" onClick={() => dialog.current?.close()}>✕</button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** A question with two answers. */
export function Question({ title, text, yes, onYes, onClose }: {
  title: string; text: string; yes: string; onYes: () => void; onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="buttons">
        <button type="button" onClick={onClose}>Cancel</button>
        <button type="button" class="danger" onClick={() => { onClose(); onYes(); }}>{yes}</button>
      </div>
    </Dialog>
  );
}
