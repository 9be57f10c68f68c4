import { useEffect, useId, useRef, useState } from 'react';
import type { Content } from '../../api/raffles';
import { previewOf, useTemplates, type PreviewPage } from './preview';

const pages = { signUp: 'Sign-up page', success: 'Success page' };
const widths = { phone: 390, desk: 1280 };

interface Props {
  landingPage: string;
  content: Content;
}

/** The real pages with the words of the form, as they are typed. Nothing in them runs or can be pressed. */
export function Preview({ landingPage, content }: Props) {
  const [page, setPage] = useState<PreviewPage>('signUp');
  const [width, setWidth] = useState<keyof typeof widths>('phone');
  const templates = useTemplates();
  return (
    <section id="preview" className="panel raffle-preview" aria-label="Preview">
      <div className="preview-choices">
        <Choice label="Page" options={pages} value={page} onChange={setPage} />
        <Choice
          label="Width"
          options={{ phone: 'Phone', desk: 'Desk' }}
          value={width}
          onChange={setWidth}
        />
      </div>
      {templates === null && <p className="quiet-text">The preview could not be loaded.</p>}
      {templates && (
        <Frame
          title={`${pages[page]}, as on a ${width}`}
          width={widths[width]}
          html={previewOf(templates, page, landingPage, content)}
        />
      )}
    </section>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  options: Record<Value, string>;
  value: Value;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className="choice">
      <legend className="unseen">{label}</legend>
      {(Object.entries(options) as [Value, string][]).map(([key, text]) => (
        <label key={key}>
          <input type="radio" name={name} checked={key === value} onChange={() => onChange(key)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface FrameProps {
  title: string;
  width: number;
  html: string;
}

/** A page of its own in the size of a device, smaller where there is less room. Without scripts, also if they were in it. */
function Frame({ title, width, html }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const page = frame.current;
    if (!page) return;
    show(page, html);
    return fit(page, width);
  }, [html, width]);
  return (
    // It scrolls in itself; the keyboard has to reach what scrolls.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="preview-window" role="region" aria-label={title} tabIndex={0}>
      <div className="preview-room">
        <iframe ref={frame} title={title} sandbox="allow-same-origin" tabIndex={-1} />
      </div>
    </div>
  );
}

/** Into the page that is there, so that it does not flicker while somebody types. */
function show(frame: HTMLIFrameElement, html: string) {
  const shown = frame.contentDocument;
  const root = shown?.getElementById('root');
  if (!shown || !root) {
    frame.srcdoc = html;
    return;
  }
  const next = new DOMParser().parseFromString(html, 'text/html');
  shown.documentElement.dataset.palette = next.documentElement.dataset.palette;
  root.innerHTML = next.getElementById('root')?.innerHTML ?? '';
}

/** Makes the frame as wide as the device and as high as its page, scales it into its room, and keeps it so. */
function fit(page: HTMLIFrameElement, width: number): () => void {
  const room = page.parentElement;
  if (!room || typeof ResizeObserver === 'undefined') return () => {};
  const resize = () => {
    const scale = Math.min(1, room.clientWidth / width);
    page.style.width = `${width}px`;
    page.style.height = '0';
    const height = (page.contentDocument?.documentElement as HTMLElement | null)?.scrollHeight ?? 0;
    page.style.height = `${height}px`;
    page.style.transform = `scale(${scale})`;
    page.style.marginLeft = `${Math.max(0, (room.clientWidth - width * scale) / 2)}px`;
    room.style.height = `${height * scale}px`;
  };
  resize();
  page.addEventListener('load', resize);
  const sizes = new ResizeObserver(resize);
  if (room.parentElement) sizes.observe(room.parentElement);
  return () => {
    page.removeEventListener('load', resize);
    sizes.disconnect();
  };
}
