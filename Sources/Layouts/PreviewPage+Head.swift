extension PreviewPage {
    /// What the page may do: show pictures and styles that are in it. No script, no network, no form.
    static func head(title: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
        style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
        <title>\(escaped(title)) · preview</title>

        """
    }

    /// The page's own look. The note's is in its style attributes; a note has none of its own for a link, a title and
    /// the paper, which an app gives it.
    static let css = """
        :root{--page:#f4f3f0;--paper:#fff;--ink:#222;--soft:#6c6a66;--line:#dedbd5;--accent:#2f6f73;--warm:#b5522b;
        --shade:0 1px 2px #0000000f,0 8px 28px #0000000d}
        @media(prefers-color-scheme:dark){
        :root{--page:#161718;--paper:#1f2123;--ink:#e6e4e0;--soft:#9b9993;--line:#33363a;--accent:#7fc1bf;
        --warm:#e79a6b;--shade:none}
        .note [style*="#757575"]{color:var(--soft)!important}
        }
        *{box-sizing:border-box}
        html{background:var(--page);color:var(--ink)}
        body{margin:0;font:16px/1.6 system-ui,"Noto Sans","Hiragino Sans","Noto Sans CJK JP",sans-serif}
        body>input{position:absolute;opacity:0;pointer-events:none}
        header,main{max-width:1240px;margin:0 auto}
        header{display:flex;flex-wrap:wrap;gap:12px 32px;align-items:center;justify-content:space-between;
        padding:24px 32px 18px}
        header p{margin:0;color:var(--soft);font-size:13px}
        nav{display:flex;gap:2px;border:1px solid var(--line);border-radius:9px;background:var(--paper);padding:3px}
        label{padding:5px 14px 6px;border-radius:6px;line-height:1.25;cursor:pointer}
        label b{display:block;font-size:14px;font-weight:600}
        label small{font-size:12px;color:var(--soft)}
        main{display:grid;grid-template-columns:minmax(0,1fr) 360px;gap:28px;padding:0 32px 60px;align-items:start}
        article{display:none;grid-column:1;background:var(--paper);border-radius:10px;box-shadow:var(--shade);
        padding:40px 48px 56px}
        article h1{font-size:27px;line-height:1.3;margin:0 0 18px;max-width:720px;overflow-wrap:break-word}
        .note{overflow-wrap:break-word}
        .refused{padding-left:12px;border-left:3px solid var(--warm);margin:0;overflow-wrap:anywhere}
        .note img{max-width:100%;height:auto;background-size:100% 100%;print-color-adjust:exact}
        .note a,.file{color:var(--accent)}
        .file{border:1px solid var(--line);border-radius:6px;padding:4px 10px;font-size:13px}
        aside{display:grid;gap:26px;grid-column:2;grid-row:1;position:sticky;top:20px}
        h2{font-size:13px;font-weight:600;margin:0 0 8px;color:var(--soft)}
        table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums;color:var(--soft)}
        th{font-weight:400;text-align:left}
        thead th:nth-child(n+2){text-align:right;padding-left:10px}
        td{text-align:right;padding:4px 0 4px 10px;white-space:nowrap}
        meter{width:72px;height:8px;vertical-align:middle}
        aside ul{list-style:none;margin:0;padding:0;font-size:13px;line-height:1.5}
        aside li{padding:7px 0 7px 12px;border-left:3px solid var(--warm);margin:0 0 8px;overflow-wrap:anywhere}
        @media(max-width:900px){
        main{grid-template-columns:minmax(0,1fr);padding:0 12px 40px;gap:24px}
        header{padding:18px 16px 14px}
        article{padding:24px 18px 36px}
        aside{grid-column:1;grid-row:auto;position:static;padding:0 4px}
        nav{width:100%}
        label{flex:1;padding:5px 8px}
        label b{font-size:13px}
        }
        @media print{header,aside{display:none}main{display:block}}

        """
}
