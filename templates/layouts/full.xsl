<?xml version="1.0" encoding="UTF-8"?>
<!-- full: as plain, dressed. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:import href="plain.xsl"/>
  <xsl:import href="styles.xsl"/>

  <xsl:template name="gap-to-picture"><div xsl:use-attribute-sets="gap-to-picture"><br/></div></xsl:template>
</xsl:stylesheet>
