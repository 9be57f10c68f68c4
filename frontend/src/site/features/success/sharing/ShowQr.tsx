import { useState } from 'react';
import { useLater } from '../../../lib/useLater';

const load = () => import(/* webpackChunkName: "qr" */ './QrDialog');

/** For a friend who stands by. Not counted as a share: it reaches nobody by itself. */
export function ShowQr({ link }: { link: string }) {
  const [isOpen, setOpen] = useState(false);
  const { file, problem, retry } = useLater(load, isOpen);
  const open = () => {
    setOpen(true);
    if (problem) retry();
  };
  return (
    <>
      <button type="button" className="button quiet" onClick={open}>
        Show QR code
      </button>
      {isOpen && problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {isOpen && file && <file.QrDialog link={link} onClose={() => setOpen(false)} />}
    </>
  );
}
