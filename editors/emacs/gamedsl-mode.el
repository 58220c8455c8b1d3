;;; gamedsl-mode.el --- Rules of abstract games  -*- lexical-binding: t -*-
;; Emacs: put this file on your load-path and (require 'gamedsl-mode) into init.el. It needs eglot, which Emacs 29 contains.

(require 'eglot)

(defvar gamedsl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "w" table)
    table))

(define-derived-mode gamedsl-mode prog-mode "gamedsl"
  "Rulesets of gamedsl; the language server knows the rest."
  (setq-local comment-start "# ")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width 2)
  (setq-local font-lock-defaults '(nil)))

(add-to-list 'auto-mode-alist '("\\.gdl\\'" . gamedsl-mode))
(add-to-list 'eglot-server-programs '(gamedsl-mode . ("gamedsl" "lsp")))
(add-hook 'gamedsl-mode-hook #'eglot-ensure)

(provide 'gamedsl-mode)
;;; gamedsl-mode.el ends here
